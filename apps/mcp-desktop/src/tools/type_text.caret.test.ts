import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

describe("without a named field, a selection is replaced", () => {
  it.each([
    ["an input", `<input id=f value="hello world">`, "f.value"],
    ["a text area", "<textarea id=f>hello world</textarea>", "f.value"],
    ["a region", "<div id=f contenteditable>hello world</div>", "f.textContent"],
  ])("in %s", async (_, html, value) => {
    await app.show(html);
    await app.value("f.focus(); 0");
    await app.do("send_keys", { keys: ["ControlOrMeta+A"] });
    await app.do("type_text", { text: "new" });
    expect(await app.value(value)).toBe("new");
    await app.do("send_keys", { keys: ["Home"] });
    await app.do("type_text", { text: " end" });
    expect(await app.value(value)).toMatch(/^new\send$/);
    await app.do("send_keys", { keys: ["Shift+Home"] });
    await app.do("type_text", { selector: "#f", text: "!" });
    expect(await app.value(value)).toMatch(/^new\send!$/);
  });
});

it.each([
  ["number", "3", "7", "37"],
  ["email", "ada@b", ".example", "ada@b.example"],
])("appends to a field of type %s, whose selection scripts cannot see", async (type, value, text, all) => {
  for (const html of [
    `<div id=host></div><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<input type=${type} value=${value}>";
      window.f = host.shadowRoot.firstChild;
    </script>`,
    `<input id=f type=${type} value=${value}>`,
  ]) {
    await app.show(html);
    await app.do("type_text", { selector: "input", text });
    expect(await app.value("f.value")).toBe(all);
    await app.do("type_text", { selector: "input", text: value, clearFirst: true });
    expect(await app.value("f.value")).toBe(value);
  }
});

/** An editor of code: it indents and closes what is typed, and inserts what is pasted as it is. */
const codeEditor = (
  paste: string,
) => `<div id=editor tabindex=0 style="width:300px;height:100px"></div><script>
  const context = (editor.editContext = new EditContext());
  window.held = "";
  context.addEventListener("textupdate", ({ text }) => {
    for (const character of text) held += character === "\\n" ? "\\n  " : character === "{" ? "{}" : character;
    context.updateText(0, context.text.length, "");
  });
  ${paste}
</script>`;
const code = "function f() {\nreturn [1];\n}\n";

it("gives lines to an editor of code as they are", async () => {
  await app.show(
    codeEditor(`editor.addEventListener("paste", (event) => {
      held += event.clipboardData.getData("text/plain");
      event.preventDefault();
    });`),
  );
  await app.do("type_text", { selector: "#editor", text: code });
  expect(await app.value("held")).toBe(code);
});

it("types lines into an editor that takes no paste", async () => {
  await app.show(codeEditor(""));
  await app.do("type_text", { selector: "#editor", text: "a\nb" });
  expect(await app.value("held")).toBe("a\n  b");
});

/** An editor with a model, which makes soft line breaks of inserted text, and renders with the next frame. */
const modelEditor = (
  attribute: string,
) => `<div id=editor contenteditable ${attribute} style="min-height:50px"></div><script>
  window.paragraphs = [""];
  editor.addEventListener("beforeinput", (event) => {
    event.preventDefault();
    const selection = getSelection();
    if (!selection.isCollapsed) paragraphs = [""];
    if (event.inputType === "insertParagraph") paragraphs.push("");
    else if (event.data !== null) paragraphs[paragraphs.length - 1] += event.data;
    requestAnimationFrame(() => {
      editor.replaceChildren(...paragraphs.map((text) => Object.assign(document.createElement("p"), { textContent: text || "\\u200b" })));
      getSelection().selectAllChildren(editor);
      getSelection().collapseToEnd();
    });
  });
</script>`;

it.each(["data-slate-editor=true", "data-lexical-editor=true", "class=public-DraftEditor-content"])(
  "makes paragraphs in an editor with %s",
  async (attribute) => {
    await app.show(modelEditor(attribute));
    expect(
      await app.do("type_text", { selector: "#editor", text: "one\n\ntwo {x}", clearFirst: true }),
    ).toMatch(/^Typed 12 characters into <div>[^(]*$/);
    expect(await app.value("paragraphs")).toEqual(["one", "", "two {x}"]);
  },
);

it("reports a region that holds another text", async () => {
  await app.show(`<div id=f contenteditable oninput="f.textContent = 'something else entirely'">old</div>`);
  expect(await app.do("type_text", { selector: "#f", text: "x y", clearFirst: true })).toMatch(
    / \(it now holds 23 characters, and not just that text\)\.$/,
  );
});

it("sets a slider that its thumb covers", async () => {
  await app.show(`<span style="position:relative;display:block;width:200px;height:20px"><input type=range id=r
    style="position:absolute;inset:0;width:100%;margin:0"><b style="position:absolute;inset:0;background:navy"></b></span>`);
  await app.do("type_text", { selector: "#r", text: "80" });
  expect(await app.value("r.value")).toBe("80");
});

it.each([
  ["date", "2026-03-31"],
  ["time", "09:30"],
  ["range", "30"],
])("focuses a field of type %s before it is set, and a key leaves it", async (type, text) => {
  await app.show(`<input id=f type=${type}><button id=b>Next</button><script>
    window.seen = [];
    for (const name of ["focus", "input", "change", "blur"]) f.addEventListener(name, () => seen.push(name));
  </script>`);
  await app.do("type_text", { selector: "#f", text });
  expect(await app.value("seen")).toEqual(["focus", "input", "change"]);
  await app.do("click", { selector: "#b" });
  expect(await app.value("seen.at(-1)")).toBe("blur");
});
