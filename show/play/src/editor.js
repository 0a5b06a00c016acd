// The editor: CodeMirror with the colours of PTX, and the findings of vop.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { cpp } from "@codemirror/legacy-modes/mode/clike";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const ptx = StreamLanguage.define({
  token(stream) {
    if (stream.match(/\/\/.*/) || stream.match(/\/\*.*?\*\//)) return "comment";
    if (stream.match(/"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/%[\w$]+/)) return "variableName";
    if (stream.match(/v(?:add|sub|absdiff|min|max|avrg|set)[24]?\b|v(?:shl|shr|mad)\b/)) return "keyword";
    if (stream.match(/\.[A-Za-z_]\w*/)) return "typeName";
    if (stream.match(/0[xX][\da-fA-F]+|\b\d[\w.]*/)) return "number";
    if (stream.match(/[A-Za-z_$][\w$]*/)) return "name";
    stream.next();
    return null;
  },
});

const host = StreamLanguage.define(cpp);

// The colours are those of the page.
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--vop-faint)" },
  { tag: [tags.keyword, tags.modifier, tags.controlKeyword], color: "var(--vop-lane2)", fontWeight: "bold" },
  { tag: [tags.typeName, tags.standard(tags.typeName)], color: "var(--vop-lane0)" },
  { tag: [tags.string, tags.character], color: "var(--vop-lane3)" },
  { tag: tags.number, color: "var(--vop-lane1)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--vop-ground)", color: "var(--vop-text)", fontSize: "14px", border: "1px solid var(--vop-line)", borderRadius: "6px" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "1px" },
  ".cm-content, .cm-gutters": { fontFamily: "var(--mono)" },
  ".cm-content": { caretColor: "var(--vop-text)" },
  ".cm-cursor": { borderLeftColor: "var(--vop-text)" },
  ".cm-scroller": { maxHeight: "24rem", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--vop-faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--selection)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--vop-text)", border: "1px solid var(--vop-line)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--vop-text)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "min(36rem, 88vw)" },
});

const language = new Compartment();

// create makes the editor. changed is called after each change of the text, moved after each of the cursor.
export function create(parent, changed, moved) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(),
        language.of(ptx), syntaxHighlighting(colours), look,
        keymap.of([...lintKeymap, ...defaultKeymap, ...historyKeymap]), // Tab goes on to what follows, as everywhere
        EditorView.contentAttributes.of({ "aria-label": "PTX, or C with asm statements", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed();
          else if (update.selectionSet) moved();
        }),
      ],
    }),
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    cursor: () => view.state.selection.main.head,
    set(text, isHost) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, effects: language.reconfigure(isHost ? host : ptx) });
    },
    show(position, focus) {
      const head = Math.min(position, view.state.doc.length);
      view.dispatch({ selection: { anchor: head }, effects: EditorView.scrollIntoView(head, { y: "center" }) });
      if (focus) view.focus();
    },
    // mark shows findings. Those that were made for another text would be out of place.
    mark(findings) {
      const end = view.state.doc.length;
      const diagnostics = findings.map((f) => ({
        from: Math.min(f.from, end), to: Math.min(Math.max(f.to, f.from), end), severity: f.severity === "note" ? "info" : f.severity,
        source: f.code, message: [f.message, ...f.notes].join("\n"),
        actions: f.suggest ? [{ name: `Write ${f.suggest}`, apply: (v, from, to) => v.dispatch({ changes: { from, to, insert: f.suggest } }) }] : [],
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
  };
}
