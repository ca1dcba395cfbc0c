import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const three = "first\nsecond\nthird";
const code = "fn(a) {\nb();\n}";

describe("ProseMirror", () => {
  const require = createRequire(import.meta.url);
  const modules = {
    orderedmap: require.resolve("orderedmap"),
    "prosemirror-model": require.resolve("prosemirror-model"),
    "prosemirror-schema-basic": require.resolve("prosemirror-schema-basic"),
    "prosemirror-state": require.resolve("prosemirror-state"),
    "prosemirror-transform": require.resolve("prosemirror-transform"),
    "prosemirror-view": require.resolve("prosemirror-view"),
  };
  const imports: Record<string, string> = {};
  beforeAll(() => {
    for (const [name, file] of Object.entries(modules))
      imports[name] = app.file(
        `/${name}.js`,
        readFileSync(file.replace(/\.cjs$/, ".js"), "utf8"),
        "text/javascript",
      );
  });

  const page = () => `<div id=editor></div><script type=importmap>${JSON.stringify({ imports })}</script>
    <script type=module>
      import { schema } from "prosemirror-schema-basic";
      import { EditorState } from "prosemirror-state";
      import { EditorView } from "prosemirror-view";
      window.view = new EditorView(editor, { state: EditorState.create({ schema }) });
      window.paragraphs = () => view.state.doc.content.content.map((node) => node.textContent);
    </script>`;

  it.each([
    ["lines", three, ["first", "second", "third"]],
    ["code", code, ["fn(a) {", "b();", "}"]],
    ["an empty line", "a\n\nb", ["a", "", "b"]],
  ])("makes paragraphs of %s", async (_, text, paragraphs) => {
    await app.show(page());
    await app.do("type_text", { selector: ".ProseMirror", text });
    expect(await app.value("paragraphs()")).toEqual(paragraphs);
  });

  it("appends to existing text, and replaces it", async () => {
    await app.show(page());
    await app.do("type_text", { selector: ".ProseMirror", text: "begin" });
    await app.do("type_text", { text: " and\ngo on" });
    expect(await app.value("paragraphs()")).toEqual(["begin and", "go on"]);
    await app.do("type_text", { selector: ".ProseMirror", text: three, clearFirst: true });
    expect(await app.value("paragraphs()")).toEqual(["first", "second", "third"]);
  });
});

it.each([
  ["a text area", "<textarea id=f></textarea>", "f.value"],
  ["a region", "<div id=f contenteditable></div>", "f.innerText"],
  ["a region of plain text", "<pre id=f contenteditable=plaintext-only></pre>", "f.innerText"],
])("keeps the lines in %s", async (_, html, value) => {
  await app.show(html);
  for (const text of [three, code]) {
    await app.do("type_text", { selector: "#f", text, clearFirst: true });
    expect(String(await app.value(value)).trimEnd()).toBe(text);
  }
});
