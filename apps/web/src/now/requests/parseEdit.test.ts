import { expect, it } from "vitest";
import { parseEdit } from "./parseEdit";

const edit = (tool: string, input: unknown) => parseEdit({ tool, input: JSON.stringify(input) });
const shown = (tool: string, input: unknown) =>
  edit(tool, input)?.lines.map(({ sign, text }) => `${sign}${text}`);

it("shows what an edit changes, between the lines that stay", () => {
  const input = { file_path: "a.ts", old_string: "a\nb\nc", new_string: "a\nB\nB2\nc" };
  expect(edit("Edit", input)?.path).toBe("a.ts");
  expect(shown("Edit", input)).toEqual([" a", "-b", "+B", "+B2", " c"]);
  expect(shown("Edit", { ...input, new_string: "" })).toEqual(["-a", "-b", "-c"]);
});

it("shows all edits of a file, and the lines of a new one", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d" },
  ];
  expect(shown("MultiEdit", { file_path: "a.ts", edits })).toEqual(["-a", "+b", "-c", "+d"]);
  expect(shown("Write", { file_path: "a.ts", content: "one\ntwo\n" })).toEqual(["+one", "+two"]);
});

it("is nothing for other tools, and for an input that is cut or has other fields", () => {
  expect(edit("Bash", { file_path: "a", content: "x" })).toBeUndefined();
  expect(edit("Write", { file_path: 1, content: "x" })).toBeUndefined();
  expect(edit("MultiEdit", { file_path: "a", edits: [null, {}] })).toBeUndefined();
  expect(parseEdit({ tool: "Edit", input: '{"file_path": "a…' })).toBeUndefined();
  expect(parseEdit({ tool: "Edit", input: null })).toBeUndefined();
});
