import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

/** An editor that draws its text itself: an element without a size takes the keys, and a script holds the text. */
const editor = `<div id=editor style="width:300px;height:100px;border:1px solid;position:relative">
    <textarea readonly aria-hidden=true style="position:absolute;width:1px;height:1px;border:0;padding:0"></textarea>
    <div id=keys tabindex=0 style="width:0;height:0"></div><pre id=lines style="height:80px;margin:0"></pre></div><script>
  const context = (keys.editContext = new EditContext());
  const set = (text, start, end) => {
    context.updateText(0, context.text.length, text);
    context.updateSelection(start, end);
    lines.textContent = text;
  };
  context.addEventListener("textupdate", ({ selectionStart, selectionEnd }) =>
    set(context.text, selectionStart, selectionEnd));
  keys.addEventListener("keydown", (event) => {
    const { text, selectionStart, selectionEnd } = context;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === "a") set(text, 0, text.length);
    else if (isCommand && /End|Down/.test(event.key)) set(text, text.length, text.length);
    else if (event.key === "Delete") set(text.slice(0, selectionStart) + text.slice(selectionEnd), selectionStart, selectionStart);
    else return;
    event.preventDefault();
  });
  lines.onclick = () => keys.focus();
  set("begin", 0, 0);
</script>`;

it.each([
  ["the editor", "#editor"],
  ["what takes its keys", "#keys"],
])("types into an editor that draws itself, named by %s", async (_, selector) => {
  await app.show(editor);
  expect(await app.do("type_text", { selector, text: " and go" })).toMatch(
    /^Typed 7 characters into <div>[^(]*$/,
  );
  expect(await app.value("context.text")).toBe("begin and go");
  await app.do("type_text", { selector, text: "anew", clearFirst: true });
  expect(await app.value("context.text")).toBe("anew");
  await app.do("type_text", { selector, text: "", clearFirst: true });
  expect(await app.value("context.text")).toBe("");
});

it("types into it if it has the focus", async () => {
  await app.show(editor);
  await app.do("click", { selector: "#editor" });
  await app.do("type_text", { text: "!" });
  expect(await app.value("context.text")).toBe("begin!");
});

it("types into the only editable region of the named element", async () => {
  await app.show(
    `<div id=wrap><b>Note</b><div contenteditable style="height:50px"><p>One</p><p>Two</p></div></div>`,
  );
  await app.do("type_text", { selector: "#wrap", text: "!" });
  expect(await app.value("document.querySelector('[contenteditable]').innerText")).toBe("One\n\nTwo!");
});

/** Editors whose hidden textarea only catches keys, as in Ace, CodeMirror 5 and Monaco without EditContext. */
const catchers = {
  "a tiny one": `<div><textarea id=keys style="width:1px;height:1px;padding:0;border:0"></textarea></div>`,
  "a transparent one": `<div><textarea id=keys style="opacity:0"></textarea></div>`,
  "a clipped one": `<div style="overflow:hidden;height:0;width:3px"><textarea id=keys style="width:300px"></textarea></div>`,
};

it.each(Object.entries(catchers))(
  "replaces and appends to the text behind a textarea: %s",
  async (_, html) => {
    await app.show(`<div id=editor style="width:300px;height:100px">${html}<pre id=lines>begin</pre></div><script>
    let isAll = false;
    const put = (text) => {
      lines.textContent = (isAll ? "" : lines.textContent) + text;
      isAll = false;
      keys.value = "";
    };
    keys.oninput = () => put(keys.value);
    keys.onpaste = (event) => { put(event.clipboardData.getData("text/plain")); event.preventDefault(); };
    keys.onkeydown = ({ key, ctrlKey, metaKey }) => {
      if (key === "a" && (ctrlKey || metaKey)) isAll = true;
      if (key === "Delete") put("");
    };
    lines.onmousedown = (event) => { keys.focus(); event.preventDefault(); };
  </script>`);
    await app.do("type_text", { selector: "#keys", text: " and go" });
    expect(await app.value("lines.textContent")).toBe("begin and go");
    expect(
      await app.do("type_text", { selector: "#editor", text: "one\n  two", clearFirst: true }),
    ).not.toContain("it now holds");
    expect(await app.value("lines.textContent")).toBe("one\n  two");
    await app.do("type_text", { selector: "#editor", text: "", clearFirst: true });
    expect(await app.value("lines.textContent")).toBe("");
  },
);

it("gives a terminal no keys besides the text", async () => {
  await app.show(`<textarea id=keys class=xterm-helper-textarea style="opacity:0"></textarea><script>
    window.pressed = [];
    keys.onkeydown = ({ key }) => void pressed.push(key);
  </script>`);
  await app.do("type_text", { selector: "#keys", text: "ls", submitKey: "Enter" });
  expect(await app.value("pressed")).toEqual(["l", "s", "Enter"]);
});

it("ends a terminal's lines with Enter, and does not compare its field", async () => {
  await app.show(`<textarea id=keys class=xterm-helper-textarea style="opacity:0"></textarea><script>
    window.sent = "";
    keys.onkeydown = ({ key }) => { if (key === "Enter") sent += "\\r"; };
    keys.oninput = ({ data }) => { sent += data ?? ""; keys.value = ""; };
  </script>`);
  expect(await app.do("type_text", { selector: "#keys", text: "ls -la\ncd\n", clearFirst: true })).toBe(
    "Typed 10 characters into <textarea> [e1].",
  );
  expect(await app.value("sent")).toBe("ls -la\rcd\r");
});
