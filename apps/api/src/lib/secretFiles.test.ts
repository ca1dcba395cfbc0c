import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { withSecretFiles } from "./secretFiles";

const names = ["CREDENTIALS_KEY", "DATABASE_URL"];

it("reads a secret from its file, without the line's end", async () => {
  const file = join(await temporaryDirectory(), "key");
  await writeFile(file, "1:abc\n");
  expect(withSecretFiles({ CREDENTIALS_KEY_FILE: file, PORT: "80", PORT_FILE: file }, names)).toMatchObject({
    CREDENTIALS_KEY: "1:abc",
    PORT: "80",
  });
});

it("reports every file that holds none, cannot be read, or has its variable beside it", async () => {
  const directory = await temporaryDirectory();
  const [empty, large] = [join(directory, "empty"), join(directory, "large")];
  await writeFile(empty, "\n");
  await writeFile(large, "");
  await truncate(large, 1024 * 1024);
  const read = (env: Record<string, string>) => () => withSecretFiles(env, names);
  expect(read({ CREDENTIALS_KEY_FILE: empty, DATABASE_URL_FILE: join(directory, "none") })).toThrow(
    /^CREDENTIALS_KEY_FILE: holds no secret\nDATABASE_URL_FILE: ENOENT/,
  );
  expect(read({ CREDENTIALS_KEY_FILE: large })).toThrow("holds no secret");
  expect(read({ DATABASE_URL: "x", DATABASE_URL_FILE: empty })).toThrow("is set beside DATABASE_URL");
});
