import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { readSecretFiles } from ".";

const fileWith = async (content: string): Promise<string> => {
  const path = join(await temporaryDirectory(onTestFinished), "secret");
  await writeFile(path, content);
  return path;
};

it("reads a secret from its file, without the line break around it", async () => {
  const source = { KEY_FILE: await fileWith("a b\nc\n"), OTHER: "x", EMPTY: "", URL_FILE: "" };
  expect(readSecretFiles(source, ["KEY", "URL"])).toEqual({
    KEY: "a b\nc",
    KEY_FILE: source.KEY_FILE,
    OTHER: "x",
  });
});

it("reads no file of a variable that holds no secret", () => {
  expect(readSecretFiles({ LOG_FILE: "/does/not/exist" }, ["KEY"])).toEqual({ LOG_FILE: "/does/not/exist" });
});

it("reports each wrong one on a line of its own, without its content", async () => {
  const [both, empty] = [await fileWith("hidden"), await fileWith("\n")];
  const source = { KEY: "also hidden", KEY_FILE: both, URL_FILE: empty, TOKEN_FILE: "/does/not/exist" };
  expect(() => readSecretFiles(source, ["KEY", "URL", "TOKEN"])).toThrow(
    new Error(
      [
        "KEY_FILE: conflicts with KEY. Set only one of them.",
        `URL_FILE: ${empty} is empty, or longer than 65536 characters`,
        "TOKEN_FILE: ENOENT: no such file or directory, open '/does/not/exist'",
      ].join("\n"),
    ),
  );
});
