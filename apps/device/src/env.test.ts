import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
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
