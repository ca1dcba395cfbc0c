import fc from "fast-check";
import { expect, it } from "vitest";
import { launchdPlist, type Service, systemdUnit } from "./unit";

const service = (command: string[], environment: Record<string, string> = {}): Service => ({
  command,
  environment,
  logFile: "/log",
  finalExitCode: 4,
});

const printable = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => !/\p{Cc}|\p{Noncharacter_Code_Point}/u.test(text));

/**
 * Splits a line by the rules of systemd.syntax(7): words in double quotes, backslash escapes, `%%` for a percent sign.
 */
function systemdWords(line: string): string[] {
  expect(line).toMatch(/^("([^"\\]|\\.)*"( |$))*$/u);
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, quoted = ""]) => {
    expect(quoted.replaceAll("%%", "")).not.toContain("%");
    return quoted.replace(/\\(.)/gu, "$1").replaceAll("%%", "%");
  });
}

it("systemd reads every program, argument and variable back as it was", () => {
  fc.assert(
    fc.property(fc.array(printable, { minLength: 1 }), printable, (command, value) => {
      const lines = systemdUnit(service(command, { NAME: value })).split("\n");
      const settingOf = (key: string) => lines.find((line) => line.startsWith(key))?.slice(key.length) ?? "";
      expect(systemdWords(settingOf("ExecStart=:"))).toEqual(command);
      expect(systemdWords(settingOf("Environment="))).toEqual([`NAME=${value}`]);
    }),
  );
});

it("launchd reads them back, too", () => {
  fc.assert(
    fc.property(fc.array(printable, { minLength: 1 }), printable, (command, value) => {
      const plist = launchdPlist(service(command, { NAME: value }));
      const decoded = (text: string) =>
        text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
      // Line separators (U+2028) are characters like others to launchd: hence the flag `s`.
      const array = plist.slice(plist.indexOf("<array>"), plist.indexOf("</array>"));
      const words = array
        .split("\n")
        .flatMap((line) => /^ {4}<string>(.*)<\/string>$/su.exec(line)?.[1] ?? []);
      expect(words.map(decoded)).toEqual(command);
      expect(words.join("")).not.toMatch(/[<>]/);
      expect(decoded(/<key>NAME<\/key><string>(.*?)<\/string>/su.exec(plist)?.[1] ?? "")).toBe(value);
    }),
    { examples: [[["\u2028 ", " "], "\u2029"]] },
  );
});

it.each([
  ["another setting would begin", "/a\nExecStart=/bin/evil"],
  ["no unit can hold a NUL", "/a\0b"],
  ["a line would end", "/a\rb"],
  ["systemd ignores a setting with it", "/a\ufdd0"],
  ["no XML can hold it", "/a\uffff"],
  ["it is half a character", "/a\ud83d"],
])("text that no service manager accepts is refused: %s", (_, word) => {
  expect(() => systemdUnit(service([word]))).toThrow("A service unit cannot contain");
  expect(() => launchdPlist(service([word]))).toThrow("A service unit cannot contain");
});
