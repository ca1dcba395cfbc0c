import fc from "fast-check";
import { expect, it } from "vitest";
import { serviceUnit } from "./serviceUnit";

const path = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/\p{C}/u.test(text));

it("is parsed by systemd as intended, for any characters in the paths", () => {
  fc.assert(
    fc.property(path, path, (node, program) => {
      const lines = serviceUnit([node, program]).split("\n");
      for (const line of lines) expect(line).toMatch(/^($|\[\w+\]$|[A-Z]\w+=)/);
      // systemd.syntax(7): words in double quotes, backslash escapes, `%%` for a percent sign.
      const command = lines.find((line) => line.startsWith("ExecStart=:"))?.slice("ExecStart=:".length) ?? "";
      const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, quoted = ""]) =>
        quoted.replace(/\\(.)/gu, "$1").replaceAll("%%", "%"),
      );
      expect(words).toEqual([node, program]);
    }),
  );
});

it("refuses a path that would begin another setting", () => {
  expect(() => serviceUnit(["/a\nExecStart=/bin/evil"])).toThrow("cannot contain");
});
