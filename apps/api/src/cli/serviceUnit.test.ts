import fc from "fast-check";
import { expect, it } from "vitest";
import { serviceUnit } from "./serviceUnit";

const path = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/\p{C}/u.test(text));

it("is read back by systemd as it was meant, whatever the paths hold", () => {
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
  expect(() => serviceUnit(["/a\nExecStart=/bin/evil"])).toThrow("cannot hold");
});
