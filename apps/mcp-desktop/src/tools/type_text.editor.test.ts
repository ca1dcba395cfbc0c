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
