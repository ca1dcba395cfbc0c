import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { generateVaultKey } from "@grove/auth";
import { newId, openBackup, openDatabase, restoreBackup } from "@grove/db";
import { templateFile } from "@grove/db/template";
import { proofMessage } from "@grove/schemas";
import { type Started, startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { sql } from "kysely";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { connectDevice, untilStatus } from "./testing/device";
import { projectFields } from "./testing/fixtures";
import { failure, signUp, stockClient } from "./testing/server";

const directory = await temporaryDirectory(afterAll);

/** The built program as an operator starts it, with only PATH from this process's environment. */
const startApi = (env: Record<string, string>, args: string[] = []) =>
  startProgram([process.execPath, fileURLToPath(new URL("../dist/main.js", import.meta.url)), ...args], {
    env: { PATH: process.env.PATH, PORT: "0", ...env },
    endAfter: onTestFinished,
  });

/** Resolves with the address of the API when it listens. */
const listening = async (api: Started): Promise<string> =>
  JSON.parse(await api.waitForLine('"msg":"listening"')).url;

/** A data directory with an empty database, and no keys yet. */
async function makeDataDirectory(name: string): Promise<string> {
  const dataDir = join(directory, name);
  await (await openDatabase({ dataDir, template: await templateFile() })).close();
  return dataDir;
}

describe("the program", () => {
  it("serves on the embedded database, keeps what was written, and holds its directory alone", async () => {
    const dataDir = join(directory, "first");
    const first = startApi({ DATA_DIR: dataDir });
    const at = await listening(first);
    const person = await signUp(at);
    const health = () => startApi({ PORT: new URL(at).port, HOST: "0.0.0.0" }, ["health"]).ended;
    expect(await health()).toMatchObject({ code: 0, stderr: "" });

    const second = await startApi({ DATA_DIR: dataDir }).ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(new RegExp(`${first.pid}`));
    expect(second.stderr.trim().split("\n")).toHaveLength(1);

    await first.end("SIGKILL");
    expect(await health()).toMatchObject({ code: 1, stderr: expect.stringContaining("does not answer") });
    const again = startApi({ DATA_DIR: dataDir });
    const url = await listening(again);
    const response = await fetch(`${url}/api/auth/session`, {
      headers: { authorization: `Bearer ${person.token}` },
    });
    expect(await response.json()).toMatchObject({ user: { id: person.user.id } });
    expect(await again.end("SIGTERM")).toBe(0);
  });

  it("creates the key of stored secrets once, readable by its owner only, and encrypts them again with another", async () => {
    const dataDir = join(directory, "secrets");
    const path = join(dataDir, "credentials.key");
    const first = startApi({ DATA_DIR: dataDir });
    const person = await signUp(await listening(first));
    const { organizationId } = person;
    const fields = {
      name: "a",
      slug: "a",
      repoOwner: "a",
      repoName: "a",
      repoUrl: "https://example.com/a.git",
    };
    const project = await person.client.project.create.mutate({ organizationId, ...fields });
    const secret = { organizationId, projectId: project.id, key: "TOKEN" };
    await person.client.project.setSecret.mutate({ ...secret, value: "hunter2" });
    const key = await readFile(path, "utf8");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await first.end("SIGTERM");

    const newKey = generateVaultKey("2");
    const both = { DATA_DIR: dataDir, CREDENTIALS_KEY: `${newKey},${key.trim()}` };
    const done = await startApi(both, ["reencrypt"]).ended;
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain('"secrets":1');
    const again = startApi({ DATA_DIR: dataDir, CREDENTIALS_KEY: newKey });
    const client = stockClient(await listening(again), person.token);
    expect(await client.project.revealSecret.mutate(secret)).toMatchObject({ value: "hunter2" });
    await again.end("SIGTERM");
    expect(await readFile(path, "utf8")).toBe(key);
    expect(await startApi({ DATA_DIR: dataDir }, ["encrypt"]).ended).toMatchObject({
      code: 1,
      stderr: 'Unknown command "encrypt". Run grove-api --help for a list.\n',
    });
  });

  it("backs up into a file, and restores it with its key only", async () => {
    const dataDir = join(directory, "from");
    const first = startApi({ DATA_DIR: dataDir });
    const { client, organizationId, token } = await signUp(await listening(first));
    const { id: projectId } = await client.project.create.mutate({ organizationId, ...projectFields() });
    const secret = { organizationId, projectId, key: "TOKEN" };
    await client.project.setSecret.mutate({ ...secret, value: "hunter2" });
    const file = join(directory, "grove.backup.gz");
    const running = await startApi({ DATA_DIR: dataDir }, ["backup", file]).ended;
    expect(running.stderr).toMatch(new RegExp(`is in use by process ${first.pid}`));
    await first.end("SIGTERM");
    const nowhere = join(directory, "nowhere");
    const none = await startApi({ DATA_DIR: nowhere }, ["backup", file]).ended;
    expect(none.stderr).toBe(`There is no database in ${nowhere}. Set DATA_DIR or DATABASE_URL.\n`);
    expect(existsSync(nowhere)).toBe(false);

    const made = await startApi({ DATA_DIR: dataDir }, ["backup", file]).ended;
    expect(made).toMatchObject({ code: 0, stdout: "" });
    expect(made.stderr).toMatch(
      /^Backed up \d+ rows in .*grove\.backup\.gz \(\d+ kB\)\.\nKeep .*credentials\.key/,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const to = { DATA_DIR: join(directory, "to") };
    const other = { ...to, CREDENTIALS_KEY: generateVaultKey("1") };
    const refused = await startApi(other, ["restore", file]).ended;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('encrypted with the key "1"') });
    expect(existsSync(to.DATA_DIR)).toBe(false);
    const right = {
      ...to,
      CREDENTIALS_KEY: (await readFile(join(dataDir, "credentials.key"), "utf8")).trim(),
    };
    await makeDataDirectory("to");
    const restored = await startApi(right, ["restore", file]).ended;
    expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Restored \d+ rows of 20/m) });

    const serving = startApi(right);
    const back = stockClient(await listening(serving), token);
    expect(await back.project.revealSecret.mutate(secret)).toMatchObject({ value: "hunter2" });
    await serving.end("SIGTERM");
  });

  it("logs that no one can sign in without an account and with SIGN_UP=invite", async () => {
    const api = startApi({ DATA_DIR: await makeDataDirectory("invite"), SIGN_UP: "invite" });
    expect(JSON.parse(await api.waitForLine("no one can sign in"))).toMatchObject({
      todo: expect.stringContaining("OWNER_EMAIL"),
    });
  });

  it("backs up an older release's database before it migrates it", async () => {
    const dataDir = await makeDataDirectory("older");
    const { db, close } = await openDatabase({ dataDir, migrating: false });
    const { rows } = await sql<{ name: string }>`select name from kysely_migration
      where name < '0011' order by name`.execute(db);
    const migrations = rows.map(({ name }) => name);
    await sql`drop schema public cascade; create schema public`.execute(db);
    // A backup without rows leaves a database with only these migrations: it has the tables with secrets, no analytics.
    const created = { createdAt: "2026-01-01T00:00:00.000Z", release: "0.0.1", engine: "pglite" };
    const first = `${JSON.stringify({ format: "grove-backup", version: 1, ...created, migrations, sealed: [] })}\n`;
    const last = { rows: {}, sha256: createHash("sha256").update(first).digest("hex") };
    const file = join(directory, "older.backup.gz");
    await writeFile(file, gzipSync(`${first}${JSON.stringify(last)}\n`));
    await restoreBackup(db, await openBackup(file));
    await db.insertInto("users").values({ id: newId(), email: "ann@example.com", name: "Ann" }).execute();
    await close();
    const ran = await startApi({ DATA_DIR: dataDir }, ["forget-secrets"]).ended;
    expect(ran).toMatchObject({ code: 0 });
    const [name = "", ...others] = await readdir(join(dataDir, "backups"));
    expect(others).toEqual([]);
    const { header, total } = await openBackup(join(dataDir, "backups", name));
    expect([header.migrations, total]).toEqual([migrations, 1]);
  });

  it("prints its help and its version without a database", async () => {
    const helped = await startApi({ DATABASE_URL: "nonsense" }, ["--help"]).ended;
    expect(helped).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("reencrypt") });
    const ended = await startApi({}, ["--version"]).ended;
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("gives V8's young generation three semi-spaces of 64 MiB, or of the size in NODE_OPTIONS", async () => {
    const tell = join(directory, "tell.cjs");
    await writeFile(
      tell,
      `const { isMainThread } = require("node:worker_threads");
      if (!isMainThread) console.error("limit", require("node:v8").getHeapStatistics().heap_size_limit / 2 ** 20);`,
    );
    const limitWith = async (options: string) => {
      const api = startApi({ NODE_OPTIONS: `--require "${tell}" ${options}` }, ["--version"]);
      return Number((await api.waitForLine(/^limit/)).split(" ")[1]);
    };
    const usual = await limitWith("");
    expect(usual - (await limitWith("--max-semi-space-size=16"))).toBe(3 * (64 - 16));
  });

  it("ends by a signal also before it listens", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const api = startApi({
      DATABASE_URL: `postgres://grove@127.0.0.1:${port}/grove`,
      CREDENTIALS_KEY: generateVaultKey("1"),
    });
    const [socket] = await once(silent, "connection");
    onTestFinished(() => void socket.destroy());
    expect(await api.end("SIGTERM")).toBe(143);
  });

  it("proves with the key in its directory that it is the program at its address", async () => {
    const dataDir = join(directory, "proof");
    const api = startApi({ DATA_DIR: dataDir });
    const url = await listening(api);
    const path = join(dataDir, "proof.key");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const challenge = "ab".repeat(32);
    const signedMessage = proofMessage({ address: "127.0.0.1", port: Number(new URL(url).port), challenge });
    const key = (await readFile(path, "utf8")).trim();
    const proof = createHmac("sha256", key).update(signedMessage).digest("hex");
    expect(await (await fetch(`${url}/api/proof?challenge=${challenge}`)).json()).toEqual({ proof });
    expect((await fetch(`${url}/api/proof?challenge=short`)).status).toBe(400);
    expect((await fetch(`${url}/api/proof`)).status).toBe(400);
    await api.end("SIGTERM");
  });

  it("notices a lost or wrong key, does not replace it, and deletes its secrets on request", async () => {
    const dataDir = join(directory, "lost");
    const api = startApi({ DATA_DIR: dataDir });
    const { client, organizationId, token } = await signUp(await listening(api));
    const { id: projectId } = await client.project.create.mutate({ organizationId, ...projectFields() });
    const secret = { organizationId, projectId, key: "TOKEN" };
    await client.project.setSecret.mutate({ ...secret, value: "hunter2" });
    await api.end("SIGTERM");
    const path = join(dataDir, "credentials.key");
    await rm(path);

    const lost = await startApi({ DATA_DIR: dataDir }).ended;
    expect([lost.code, lost.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(lost.stderr).toContain(`${path} is missing`);
    expect(existsSync(path)).toBe(false);
    const other = await startApi({ DATA_DIR: dataDir, CREDENTIALS_KEY: generateVaultKey("1") }).ended;
    expect(other.code).toBe(1);
    expect(other.stderr).toMatch(/^Stored secrets are encrypted with a key "1" .*forget-secrets.*\n$/);

    expect(await startApi({ DATA_DIR: dataDir }, ["forget-secrets"]).ended).toMatchObject({ code: 0 });
    const again = startApi({ DATA_DIR: dataDir });
    const back = stockClient(await listening(again), token);
    expect(await back.project.listSecrets.query({ organizationId, projectId })).toEqual([]);
    await back.project.setSecret.mutate({ ...secret, value: "hunter3" });
    expect(await back.project.revealSecret.mutate(secret)).toMatchObject({ value: "hunter3" });
    await again.end("SIGTERM");
  });

  it("on SIGTERM ends streams, answers waiting callers with the command's id, and exits", async () => {
    const api = startApi({ DATA_DIR: join(directory, "drain") });
    const url = await listening(api);
    const { client, organizationId } = await signUp(url);
    const registered = await client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
    const device = connectDevice(url, registered.apiKey);
    await untilStatus(client, organizationId, registered.id, "online");
    const call = failure(
      client.agent.execute.mutate({
        organizationId,
        deviceId: registered.id,
        tool: "list_projects",
        params: {},
      }),
    );
    const command = await device.event("command");
    api.child.kill("SIGTERM");
    await device.event("drain");
    expect(await call).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      reason: "server_draining",
      data: { details: { commandId: command.id } },
    });
    device.disconnect();
    expect((await api.ended).code).toBe(0);
  });

  it("logs a request with its id, and neither secret nor query", async () => {
    const api = startApi({ DATA_DIR: join(directory, "logs"), LOG_LEVEL: "trace" });
    const url = await listening(api);
    const { client, token, organizationId } = await signUp(url);
    await client.apiKey.list.query({ organizationId });
    const response = await fetch(`${url}/api/trpc/user.get?token=${token}`);
    await api.end("SIGTERM");
    const { stdout } = await api.ended;
    expect(stdout).toContain(response.headers.get("x-request-id"));
    // The other programs' logs have the same format, so that logs can be read side by side.
    expect(stdout).toMatch(/"time":"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
    for (const secret of [token, "correct horse battery", "input="]) expect(stdout).not.toContain(secret);
  });
});

describe("explains each failed start in one line", () => {
  it("a taken port", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stderr } = await startApi({ PORT: `${port}`, DATA_DIR: join(directory, "port") }).ended;
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that uses it, or set PORT to another one.\n`,
    );
    // Noticed before a database is made.
    expect(existsSync(join(directory, "port", "pgdata"))).toBe(false);
  });

  it("wrong variables", async () => {
    const { code, stderr } = await startApi({ PORT: "many", SIGN_UP: "maybe", PUBLIC_URL: "here" }).ended;
    expect(code).toBe(1);
    expect(
      stderr
        .trim()
        .split("\n")
        .map((line) => line.split(":")[0])
        .sort(),
    ).toEqual(["PORT", "PUBLIC_URL", "SIGN_UP"]);
  });

  it("a missing key, and a malformed one, which is not repeated", async () => {
    const DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
    const without = await startApi({ DATABASE_URL, PORT: "many" }).ended;
    expect(without.stderr).toMatch(/^CREDENTIALS_KEY: is required with DATABASE_URL/m);
    expect(without.stderr).toMatch(/^PORT: /m);
    const { code, stderr } = await startApi({ DATABASE_URL, CREDENTIALS_KEY: "1:c2hvcnQ=" }).ended;
    expect([code, stderr.split("\n").length]).toEqual([1, 2]);
    expect(stderr).toMatch(/^CREDENTIALS_KEY: key 1 must be 32 bytes/);
    expect(stderr).not.toContain("c2hvcnQ");
  });

  it("a database that does not answer", async () => {
    const { code, stderr } = await startApi({
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      CREDENTIALS_KEY: generateVaultKey("1"),
    }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot open the database of DATABASE_URL: .*\n$/);
    expect(stderr).toContain("127.0.0.1:1");
  });
});
