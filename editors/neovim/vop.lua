-- vop in Neovim 0.7 or later: put this into init.lua, or beside it and :luafile it. vop is on the PATH.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = "*.ptx", command = "setfiletype ptx" })
vim.api.nvim_create_autocmd("FileType", {
  pattern = { "ptx", "cuda", "c", "cpp", "hip", "opencl" },
  callback = function(event)
    local config = { name = "vop", cmd = { "vop", "lsp" }, root_dir = vim.fn.getcwd() }
    if vim.lsp.start then return vim.lsp.start(config) end -- from 0.8 on
    vop_client = vop_client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(event.buf, vop_client)
  end,
})
