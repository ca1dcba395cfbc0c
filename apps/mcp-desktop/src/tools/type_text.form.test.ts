import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const form = `<form onsubmit="event.preventDefault(); window.sent = Object.fromEntries(new FormData(this))">
  <label>Name <input name=name value=Old></label><label>Born <input name=born type=date></label>
  <select name=land aria-label=Land><option>France<option>Italy</select><input id=locked value=fixed readonly>
  <label>Notes <textarea name=notes></textarea></label><label>Mail <input name=mail></label><button>Send</button></form>`;

it("fills in several fields with one call, and submits them", async () => {
  await app.show(form);
  const fields = [
    { selector: "[name=name]", text: "Ada" },
    { selector: "[name=born]", text: "2026-03-31" },
    { selector: "[name=land]", text: "Italy" },
    { selector: "[name=notes]", text: "one\ntwo" },
    { selector: "[name=mail]", text: "a@example.com" },
  ];
  const done = await app.do("type_text", { fields, clearFirst: true, submitKey: "Enter" });
  expect(done.split("\n")).toHaveLength(5);
  expect(done).toMatch(/^Typed 3 characters into <input> "Name".*and pressed Enter\.$/s);
  expect(await app.value("sent")).toEqual({
    name: "Ada",
    born: "2026-03-31",
    land: "Italy",
    notes: "one\ntwo",
    mail: "a@example.com",
  });
});

it("stops at a field that takes no text, and reports what was typed before", async () => {
  await app.show(form);
  const fields = [
    { selector: "[name=name]", text: "!" },
    { selector: "#locked", text: "x" },
    { selector: "[name=mail]", text: "never" },
  ];
  const refused = await app.fail("type_text", { fields });
  expect(refused).toMatch(/^readonly: Field 2 of 3: .*Before that:\nTyped 1 character into <input> "Name"/s);
  expect(await app.value("document.querySelector('[name=mail]').value")).toBe("");
});

it("needs either a text or fields", async () => {
  await app.show(form);
  expect(await app.fail("type_text", {})).toMatch(/^invalid_input/);
  expect(await app.fail("type_text", { text: "a", fields: [{ text: "b" }] })).toMatch(/^invalid_input/);
  expect(await app.fail("type_text", { fields: [] })).toContain("1 to 100 fields");
});
