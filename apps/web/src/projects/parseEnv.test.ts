import { secretKey } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { parseEnv } from "./parseEnv";

const valuesOf = (text: string) =>
  Object.fromEntries(parseEnv(text).entries.map(({ key, value }) => [key, value]));

describe("parseEnv", () => {
  it("reads values as a .env file has them", () => {
    const text = [
      "# a comment",
      "",
      "PLAIN=one two # three",
      "  export SPACED = x=y ",
      "EMPTY=",
      `DOUBLE="line\\nbreak and \\"quotes\\"" # why`,
      "SINGLE='as it is\\n'",
      `KEY="-----BEGIN-----`,
      "abc",
      `-----END-----"`,
      "LAST=1\r",
    ].join("\n");
    expect(valuesOf(text)).toEqual({
      PLAIN: "one two # three",
      SPACED: "x=y",
      EMPTY: "",
      DOUBLE: 'line\nbreak and "quotes"',
      SINGLE: "as it is\\n",
      KEY: "-----BEGIN-----\nabc\n-----END-----",
      LAST: "1",
    });
    expect(parseEnv(text).faults).toEqual([]);
  });

  it("reports the error of each invalid line, and parses the others", () => {
    const { entries, faults } = parseEnv(
      ["GOOD=1", "no value", "lower=2", "=3", "GOOD=4", `AFTER="5" 6`, `OPEN="7`, "LAST=8"].join("\n"),
    );
    expect(entries).toEqual([
      { key: "GOOD", value: "1", line: 1 },
      { key: "LAST", value: "8", line: 8 },
    ]);
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(faults.map(({ message }) => message)).toEqual([
      "is not KEY=value.",
      "lower is not a valid name. Use capital letters, digits and _, such as API_TOKEN.",
      "is not KEY=value.",
      "GOOD is already set on line 1.",
      "AFTER: unexpected text after the closing quote.",
      "OPEN: the closing quote is missing.",
    ]);
  });

  it.each(["A", "_A1", "1A", "a", "A-B", "Ä", "A.B"])("takes the name %s if the API does", (name) => {
    expect(parseEnv(`${name}=x`).entries.length === 1).toBe(secretKey.safeParse(name).success);
  });
});
