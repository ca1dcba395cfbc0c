import { readFileSync } from "node:fs";
import { messageOf } from "@grove/schemas";
import { expect, it } from "vitest";
import { readEnv } from "./env";

it("reads mail and GitHub as whole groups", () => {
  expect(readEnv({})).toMatchObject({ smtp: undefined, github: undefined, trustProxy: false });
  const env = readEnv({
    PUBLIC_URL: "https://grove.example.com",
    SMTP_URL: "smtp://localhost",
    SMTP_FROM: "Grove <grove@example.com>",
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
  });
  expect(env.smtp).toEqual({
    url: "smtp://localhost",
    from: "Grove <grove@example.com>",
    service: "grove",
  });
  expect(env.github).toEqual({ clientId: "id", clientSecret: "secret" });
  const own = {
    PUBLIC_URL: "https://grove.example.com",
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
  };
  expect(readEnv({ ...own, GITHUB_URL: "https://github.example.com/" }).github?.endpoints?.api).toBe(
    "https://github.example.com/api/v3",
  );
});

it("reports each missing half, and every other error", () => {
  const given = { SMTP_URL: "http://localhost", GITHUB_CLIENT_ID: "id", PORT: "x" };
  const lines = (() => {
    try {
      readEnv(given);
      return [];
    } catch (error) {
      return messageOf(error).split("\n");
    }
  })();
  for (const variable of ["PORT", "SMTP_URL", "SMTP_FROM", "GITHUB_CLIENT_SECRET", "PUBLIC_URL"])
    expect(lines.filter((line) => line.startsWith(`${variable}: `))).toHaveLength(1);
});

it.each([
  ["https://a.example.com", "https://a.example.com"],
  ["https://a.example.com/", "https://a.example.com"],
  ["http://localhost:5173", "http://localhost:5173"],
])("reads the origin %s as browsers write it", (given, meant) => {
  expect(readEnv({ WEB_ORIGINS: given, PUBLIC_URL: given })).toMatchObject({
    webOrigins: [meant],
    publicUrl: meant,
  });
});

it.each(["localhost:5173", "ftp://example.com", "example.com", "*", "null"])(
  "refuses %s as an address",
  (given) => {
    expect(() => readEnv({ WEB_ORIGINS: given })).toThrow(/^WEB_ORIGINS\.0: must be an http or https/);
    expect(() => readEnv({ PUBLIC_URL: given })).toThrow(/^PUBLIC_URL: must be an http or https/);
  },
);

it("refuses an origin with a path, which browsers never send", () => {
  expect(() => readEnv({ WEB_ORIGINS: "https://a.example.com,https://b.example.com/app" })).toThrow(
    /^WEB_ORIGINS\.1: must be origins/,
  );
});

it.each([
  "https://example.com/grove",
  "https://example.com/grove/",
  "https://example.com/?from=mail",
  "https://example.com/#start",
  "https://ada:hunter2@example.com",
])("refuses %s as the public address", (given) => {
  expect(() => readEnv({ PUBLIC_URL: given })).toThrow(
    /^PUBLIC_URL: must be an origin.*does not work below a path/,
  );
  expect(() => readEnv({ WEB_ORIGINS: given })).toThrow(/^WEB_ORIGINS\.0: must be origins/);
});

const CREDENTIALS_KEY = `1:${Buffer.alloc(32).toString("base64")}`;

it.each(["#", "/", "?", "%", "%z", "1#", "1/", "1?"])(
  "explains how %s is written in a password",
  (character) => {
    const at = (scheme: string) => `${scheme}://grove:${character}hunter2@db.example.com/grove`;
    const database = { DATABASE_URL: "postgres://db.example.com/grove", CREDENTIALS_KEY };
    for (const [name, given] of Object.entries({
      DATABASE_URL: { CREDENTIALS_KEY, DATABASE_URL: at("postgres") },
      DATABASE_DIRECT_URL: { ...database, DATABASE_DIRECT_URL: at("postgresql") },
      SMTP_URL: { SMTP_URL: at("smtp"), SMTP_FROM: "grove@example.com" },
    })) {
      expect(() => readEnv(given)).toThrow(new RegExp(`^${name}: .*write # as %23`));
      expect(() => readEnv(given)).not.toThrow("hunter2");
    }
  },
);

it.each([
  "postgres://grove:%23%2F%3F%25hunter2@db.example.com:5432/grove",
  "postgres://grove@%2Fvar%2Frun%2Fpostgresql/grove",
  "postgres:///grove?host=/var/run/postgresql",
  "postgres://db.example.com/grove?user=grove@tenant&sslmode=require",
  "postgresql://grove:p@ss@[::1]/grove",
])("accepts %s", (given) => {
  expect(readEnv({ DATABASE_URL: given, CREDENTIALS_KEY }).databaseUrl).toBe(given);
});

it.each([
  [{ SMTP_FROM: "grove@example.com" }, "SMTP_URL: is required with SMTP_FROM"],
  [{ GITHUB_CLIENT_SECRET: "secret" }, "GITHUB_CLIENT_ID: is required with GITHUB_CLIENT_SECRET"],
])("refuses half a configuration: %j", (given, line) => {
  expect(() => readEnv(given)).toThrow(line);
});

it.each([
  ["true", true],
  ["false", false],
  ["1", true],
  ["2", 2],
])("TRUST_PROXY may be %s", (given, trustProxy) => {
  expect(readEnv({ TRUST_PROXY: given }).trustProxy).toBe(trustProxy);
});

it.each(["yes please", "11", "-1"])("TRUST_PROXY may not be %s", (given) => {
  expect(() => readEnv({ TRUST_PROXY: given })).toThrow(/^TRUST_PROXY: /);
});

it("reads providers' OAuth apps, each as a whole", () => {
  expect(readEnv({}).integrations).toEqual({ privateHosts: [], oauthClients: {} });
  const given = {
    PUBLIC_URL: "https://grove.example.com",
    INTEGRATION_LINEAR_CLIENT_ID: "id",
    INTEGRATION_LINEAR_CLIENT_SECRET: "secret",
    PRIVATE_PROVIDER_HOSTS: "git.internal, 10.0.0.5:8443, [::1]:80",
  };
  expect(readEnv(given).integrations).toEqual({
    privateHosts: ["git.internal", "10.0.0.5:8443", "[::1]:80"],
    oauthClients: { linear: { clientId: "id", clientSecret: "secret" } },
  });
});

it.each([
  [{ INTEGRATION_JIRA_CLIENT_ID: "id", PUBLIC_URL: "https://a.example" }, "INTEGRATION_JIRA_CLIENT_SECRET: "],
  [{ INTEGRATION_JIRA_CLIENT_SECRET: "secret" }, "INTEGRATION_JIRA_CLIENT_ID: "],
  [{ INTEGRATION_JIRA_CLIENT_ID: "id", INTEGRATION_JIRA_CLIENT_SECRET: "secret" }, "PUBLIC_URL: "],
  [{ PRIVATE_PROVIDER_HOSTS: "https://git.internal" }, "PRIVATE_PROVIDER_HOSTS"],
  [{ PUSH_HOSTS: "https://push.internal" }, "PUSH_HOSTS"],
])("%o is wrong", (given, line) => {
  expect(() => readEnv(given)).toThrow(line);
});

it("reads each variable that may hold a secret from a file too", () => {
  const example = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");
  const [, ofApi = ""] = /^# --- apps\/api ---$([\s\S]*?)^# --- apps\/device/m.exec(example) ?? [];
  const names = [...ofApi.matchAll(/^#(\w+(?:KEY|SECRET|TOKEN)|(?:DATABASE|SMTP)_URL)=/gm)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(9);
  for (const name of names)
    expect(() => readEnv({ [`${name}_FILE`]: "/does/not/exist" })).toThrow(`${name}_FILE: ENOENT`);
});
