import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const field = `<label>Name <input id=f value=old></label>`;

it("appends, replaces, clears; reports where and how much, but not the text", async () => {
  await app.show(field);
  expect(await app.do("type_text", { selector: "#f", text: "er" })).toBe(
    'Typed 2 characters into <input> "Name" [e1].',
  );
  expect(await app.value("f.value")).toBe("older");
  await app.do("type_text", { selector: "#f", text: "new", clearFirst: true });
  expect(await app.value("f.value")).toBe("new");
  expect(await app.do("type_text", { selector: "#f", text: "", clearFirst: true })).toBe(
    'Cleared <input> "Name" [e1].',
  );
  expect(await app.value("f.value")).toBe("");
  expect(await app.do("type_text", { selector: "#f", text: "hunter2" })).not.toContain("hunter2");
});

it("lets the page see every key, and types characters without a key", async () => {
  await app.show(`${field}<script>window.keys = []; f.onkeydown = (event) => keys.push(event.key);</script>`);
  const text = "aB3 ~é漢🚀";
  await app.do("type_text", { selector: "#f", text, clearFirst: true });
  expect(await app.value("f.value")).toBe(text);
  expect(await app.value("keys")).toEqual(["a", "B", "3", " ", "~"]);
});

it("inserts a long text as a whole", async () => {
  await app.show(`<textarea id=f></textarea>`);
  const text = "line\n".repeat(10_000);
  expect(await app.do("type_text", { selector: "#f", text })).toMatch(/^Typed 50000 characters/);
  expect(await app.value("f.value.length")).toBe(50_000);
});

it("types into the focused field, in frames of other sites too", async () => {
  const inner = app.page(`<input id=f autofocus oninput="top.postMessage(f.value, '*')">`, "localhost");
  await app.show(
    `<script>window.heard = []; onmessage = ({ data }) => heard.push(data);</script><iframe src="${inner}"></iframe>`,
  );
  expect(await app.fail("type_text", { text: "x" })).toMatch(/^no_focus: No field has the focus/);
  await app.do("click", { selector: "#f" });
  await app.do("type_text", { text: "ab" });
  await expect.poll(() => app.value("heard.at(-1)")).toBe("ab");
  await app.do("type_text", { selector: "#f", text: "cd", clearFirst: true });
  await expect.poll(() => app.value("heard.at(-1)")).toBe("cd");
});

it.each([
  ["a region", `<div id=e contenteditable><p>one</p><p>two</p></div>`, "#e"],
  ["a paragraph in one", `<div id=e contenteditable><p>one</p><p id=p>two</p></div>`, "#p"],
])("types into editable content: %s", async (_, html, selector) => {
  await app.show(html);
  await app.do("type_text", { selector, text: "!" });
  expect(await app.value("e.innerText.trim()")).toMatch(/two!$/);
  await app.do("type_text", { selector, text: "all new", clearFirst: true });
  expect(await app.value("e.innerText.trim()")).toBe("all new");
  await app.do("type_text", { selector: "#e", text: "", clearFirst: true });
  expect(await app.value("e.innerText.trim()")).toBe("");
});

it("finds the field in a wrapper, and of a label", async () => {
  await app.show(
    `<div data-testid=wrap><span>@</span><input id=a></div><label data-testid=label for=b>B</label><input id=b>`,
  );
  await app.do("type_text", { testId: "wrap", text: "1" });
  await app.do("type_text", { testId: "label", text: "2" });
  expect(await app.value("[a.value, b.value]")).toEqual(["1", "2"]);
});

it("presses a key afterwards, and reports where that led", async () => {
  const next = app.page("<title>Results</title>");
  await app.show(`<form action="${next}"><input id=f name=q></form>`);
  expect(await app.do("type_text", { selector: "#f", text: "cats", submitKey: "Enter" })).toMatch(
    /^Typed 4 characters into <input> \[e1\] and pressed Enter\.\nThe page is now "Test" at http.*q=cats|^Typed 4 .*\nThe page is now/,
  );
  await app.show(field);
  expect(await app.fail("type_text", { selector: "#f", text: "x", submitKey: "Entre" })).toMatch(
    /^unknown_key/,
  );
  expect(await app.value("f.value")).toBe("old");
});

describe("fields that take no keys", () => {
  it("chooses an option by label or value, and lists the options", async () => {
    await app.show(`<select id=s onchange="document.title = s.value"><option value=r>Red</option><option value=db>Dark blue</option>
      <option value=lb>Light blue</option><option disabled>Green</option></select>`);
    expect(await app.do("type_text", { selector: "#s", text: "dark blue" })).toMatch(
      /^Chose the option in <select>/,
    );
    expect(await app.value("document.title")).toBe("db");
    await app.do("type_text", { selector: "#s", text: "lb" });
    expect(await app.value("document.title")).toBe("lb");
    for (const text of ["Purple", "blue", "Green"])
      expect(await app.fail("type_text", { selector: "#s", text })).toBe(
        `no_such_option: <select> [e1] has no unique option that matches the text. It has: "Red", "Dark blue", "Light blue".`,
      );
  });

  it("chooses several", async () => {
    await app.show(`<select id=s multiple><option>A<option>B<option>C</select>`);
    await app.do("type_text", { selector: "#s", text: "A\nC" });
    expect(await app.value("[...s.selectedOptions].map((option) => option.label)")).toEqual(["A", "C"]);
  });

  it.each([
    ["date", "2026-03-31"],
    ["time", "09:30"],
    ["color", "#ff8800"],
    ["range", "7"],
    ["month", "2026-03"],
  ])("sets a %s", async (type, value) => {
    await app.show(`<input id=f type=${type} onchange="document.title = f.value">`);
    await app.do("type_text", { selector: "#f", text: value });
    expect(await app.value("document.title")).toBe(value);
    expect(await app.fail("type_text", { selector: "#f", text: "soon" })).toMatch(/^bad_value: <input>/);
    expect(await app.value("f.value")).toBe(value);
  });

  it("chooses files that exist", async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, "häßlich name.txt");
    await writeFile(file, "content");
    await app.show(`<input id=f type=file multiple>`);
    await app.do("type_text", { selector: "#f", text: file });
    expect(await app.value("[...f.files].map(({ name, size }) => [name, size])")).toEqual([
      ["häßlich name.txt", 7],
    ]);
    expect(await app.fail("type_text", { selector: "#f", text: `${file}x` })).toMatch(/^no_such_file/);
  });
});

it("does not show passwords", async () => {
  await app.show(`<label>Password <input type=password id=f></label>`);
  await app.do("type_text", { selector: "#f", text: "hunter2!" });
  expect(await app.value("f.value.length")).toBe(8);
  const seen = await app.do("inspect_dom");
  expect(seen).toContain('="(8 hidden characters)"');
  expect(seen).not.toContain("hunter2");
});

it("reports what the field made of it", async () => {
  await app.show(`<input id=f maxlength=3>`);
  expect(await app.do("type_text", { selector: "#f", text: "12345" })).toContain(
    "(it now holds 3 characters)",
  );
});

it.each([
  ["readonly", `<input id=f readonly>`, /^readonly: <input> \[e1\] is read-only/],
  ["disabled", `<input id=f disabled>`, /^disabled: <input> \[e1\] was not enabled/],
  ["no field", `<button id=f>Press</button>`, /^not_editable: <button> "Press" \[e1\] takes no text/],
])("reports why it cannot type: %s", async (_, html, reason) => {
  await app.show(html);
  expect(await app.fail("type_text", { selector: "#f", text: "x", timeoutMs: 100 })).toMatch(reason);
});
