import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const listen = `<input id=f autofocus value=abc><script>
  window.keys = [];
  for (const type of ["keydown", "keyup"])
    addEventListener(type, (event) => keys.push(\`\${type[3]}:\${event.key}\${event.ctrlKey ? " C" : ""}\${event.shiftKey ? " S" : ""}\`));
  f.focus();
</script>`;

it.each([
  [["Control+Shift+P"], ["d:Control C", "d:Shift C S", "d:P C S", "u:P C S", "u:Shift C", "u:Control"]],
  [
    ["Control", "Shift", "p"],
    ["d:Control C", "d:Shift C S", "d:P C S", "u:P C S", "u:Shift C", "u:Control"],
  ],
  [["Control++"], ["d:Control C", "d:+ C", "u:+ C", "u:Control"]],
  [["Control+A"], ["d:Control C", "d:a C", "u:a C", "u:Control"]],
  [["Shift"], ["d:Shift S", "u:Shift"]],
  [
    ["escape", "F5", "ArrowDown"],
    ["d:Escape", "u:Escape", "d:F5", "u:F5", "d:ArrowDown", "u:ArrowDown"],
  ],
])("presses and releases %j", async (keys, events) => {
  await app.show(listen);
  expect(await app.do("send_keys", { keys })).toBe(`Pressed ${keys.join(" ")}.`);
  expect(await app.value("keys")).toEqual(events);
});

it("edits with keys", async () => {
  await app.show(listen);
  await app.do("send_keys", { keys: ["ControlOrMeta+A", "x", "y", " ", "!"] });
  expect(await app.value("f.value")).toBe("xy !");
  await app.do("send_keys", { keys: ["Backspace"], repeat: 3 });
  expect(await app.value("f.value")).toBe("x");
});

it.each([
  [["Control", "Nonsense"], 'unknown_key: "Nonsense": there is no key "Nonsense". Nothing was pressed.'],
  [["a+b"], 'unknown_key: "a+b": "a" is not a modifier; only Alt, Control, Meta, Shift can be held.'],
  [["Enter", "漢"], 'unknown_key: "漢": no key of a keyboard types "漢"; use type_text for text.'],
])("presses nothing if one key is wrong: %j", async (keys, reason) => {
  await app.show(listen);
  expect(await app.fail("send_keys", { keys })).toContain(reason);
  expect(await app.value("keys")).toEqual([]);
});

it("leaves no modifier pressed if the window closes in between", async () => {
  const other = app.page(`<script>onkeydown = () => window.close();</script>`);
  await app.show(`${listen}<button onclick="window.open('${other}')">Open</button>`);
  const [, windowId] = /(w\d+) opened/.exec(await app.do("click", { text: "Open" })) ?? [];
  expect(await app.do("send_keys", { keys: ["Control", "a", "b"], windowId })).toContain(
    "The window closed.",
  );
  await app.do("click", { selector: "#f" });
  await app.do("send_keys", { keys: ["z"] });
  expect(await app.value("keys.at(-1)")).toBe("u:z");
});
