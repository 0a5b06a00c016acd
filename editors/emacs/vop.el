;;; vop.el --- PTX with vop as its language server  -*- lexical-binding: t -*-
;; Put this into init.el. Eglot is part of Emacs 29; vop is on the PATH.
(define-derived-mode ptx-mode prog-mode "PTX"
  "A mode for NVIDIA PTX."
  (setq-local comment-start "// " comment-end "" indent-tabs-mode t))
(modify-syntax-entry ?/ ". 124b" ptx-mode-syntax-table)
(modify-syntax-entry ?* ". 23" ptx-mode-syntax-table)
(modify-syntax-entry ?\n "> b" ptx-mode-syntax-table)
(add-to-list 'auto-mode-alist '("\\.ptx\\'" . ptx-mode))
(with-eval-after-load 'eglot (add-to-list 'eglot-server-programs '(ptx-mode "vop" "lsp")))
(add-hook 'ptx-mode-hook #'eglot-ensure)
(provide 'vop)
