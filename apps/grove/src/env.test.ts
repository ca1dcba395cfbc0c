import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readEnv } from "./env";

describe("readEnv", () => {
  it("resolves paths against the user's current directory, not the script's", () => {
    const env = readEnv({ INIT_CWD: "/home/ada/code" });
    expect(env.dataDir).toBe("/home/ada/code/.grove");
    expect(env.resolve("other")).toBe("/home/ada/code/other");
    expect(readEnv({ INIT_CWD: "/home/ada", DATA_DIR: "/srv/grove" }).dataDir).toBe("/srv/grove");
    expect(readEnv({}).dataDir).toBe(`${process.cwd()}/.grove`);
  });

  it("treats an empty variable as unset", () => {
    expect(readEnv({ PORT: "", DATA_DIR: "", DATABASE_URL: "" })).toMatchObject({
      port: undefined,
      hasDatabase: false,
      dataDir: `${process.cwd()}/.grove`,
    });
  });

  it.each(["x", "-1", "65536", "80.5", " "])("refuses the port %j and names the variable", (PORT) => {
    expect(() => readEnv({ PORT })).toThrow(/^PORT: /);
  });

  it("keeps local mode's API on loopback, and its log at a level that the launcher can follow", () => {
    const { forApi, forDevice } = readEnv({ HOST: "0.0.0.0", LOG_LEVEL: "silent" });
    expect(forApi).toMatchObject({ HOST: "127.0.0.1", LOG_LEVEL: "info" });
    for (const SIGN_UP of ["open", "invite", "closed"])
      expect(readEnv({ SIGN_UP }).forApi.SIGN_UP).toBe("first");
    expect(forDevice).toEqual({ LOG_LEVEL: "info" });
    expect(readEnv({ LOG_LEVEL: "debug" }).forApi.LOG_LEVEL).toBe("debug");
  });

  it("changes nothing in the environment of a bare API but the data directory", () => {
    const { forBareApi } = readEnv({ HOST: "0.0.0.0", LOG_LEVEL: "silent", INIT_CWD: "/srv" });
    expect(forBareApi).toEqual({
      HOST: "0.0.0.0",
      LOG_LEVEL: "silent",
      INIT_CWD: "/srv",
      DATA_DIR: "/srv/.grove",
    });
  });

  it("gives no credential and no setting of the API to the device", () => {
    const { forDevice } = readEnv({
      PATH: "/bin",
      API_KEY: "grk_x",
      SMTP_URL: "smtp://u:p@h",
      PORT: "1",
      HOME: "/h",
    });
    expect(forDevice).toEqual({ PATH: "/bin", HOME: "/h", LOG_LEVEL: "info" });
  });

  it("leaves out every variable that .env.example lists for the API", () => {
    const example = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
    const [, ofApi = ""] = /^# --- apps\/api ---$([\s\S]*?)^# --- apps\/device/m.exec(example) ?? [];
    const names = [...ofApi.matchAll(/^#([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    expect(names).toContain("INTEGRATION_SLACK_CLIENT_SECRET");
    const source = Object.fromEntries(
      names.flatMap((name) => [name, `${name}_FILE`].map((each) => [each, "1"])),
    );
    expect(readEnv(source).forDevice).toEqual({ LOG_LEVEL: "info" });
  });
});
