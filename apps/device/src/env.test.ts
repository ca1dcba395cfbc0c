import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { readEnv } from "./env";

it("an empty environment gives the defaults", () => {
  expect(readEnv({ PATH: "/bin" })).toEqual({
    apiUrl: undefined,
    deviceKey: undefined,
    apiKey: undefined,
    groveHome: join(homedir(), ".grove"),
    logLevel: "info",
    forPrograms: { PATH: "/bin" },
  });
});

it("an empty variable counts as unset", () => {
  expect(readEnv({ API_URL: "", DEVICE_KEY: "", GROVE_HOME: "", LOG_LEVEL: "" }).logLevel).toBe("info");
});

it("each wrong variable gets one line without a secret's value", () => {
  const read = () => readEnv({ API_URL: "ftp://x", DEVICE_KEY: "hunter2", LOG_LEVEL: "loud" });
  expect(read).toThrow(/^API_URL: [^\n]+\nDEVICE_KEY: [^\n]+\nLOG_LEVEL: [^\n]+$/);
  expect(read).not.toThrow(/hunter2/);
});

it("programs that the agent starts get neither its keys nor the variables that lead to them", () => {
  const ours = { DEVICE_KEY: "grd_x", API_KEY: "grk_x", API_URL: "http://grove", GROVE_HOME: "/grove" };
  expect(readEnv({ ...ours, HOME: "/h" }).forPrograms).toEqual({ HOME: "/h" });
});

it("a key may be in a file, which programs that the agent starts do not learn of", async () => {
  const file = join(await temporaryDirectory(onTestFinished), "key");
  await writeFile(file, "grd_x\n");
  expect(readEnv({ DEVICE_KEY_FILE: file, HOME: "/h" })).toMatchObject({
    deviceKey: "grd_x",
    forPrograms: { HOME: "/h" },
  });
  expect(() => readEnv({ API_KEY_FILE: "/does/not/exist" })).toThrow("API_KEY_FILE: ENOENT");
});
