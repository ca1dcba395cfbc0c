/**
 * `tsx src/runImage.ts ROOT IMAGE_JSON`: runs an image's entry point in the image's root file system, on a real
 * PostgreSQL, and checks what an operator relies on. Exits with 1 and the reason when a check fails.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createDatabase, startPostgres } from "@grove/testing/postgres";
import { runProgram, startProgram } from "@grove/testing/process";

interface Image {
  Docker: {
    config: {
      User: string;
      Env: string[];
      Entrypoint: string[];
      StopSignal: string;
      Healthcheck: { Test: string[] };
    };
  };
}

const [root = "", file = ""] = process.argv.slice(2);
const { config } = (JSON.parse(await readFile(file, "utf8")) as Image).Docker;
const { User, Env, Entrypoint, StopSignal, Healthcheck } = config;
const say = (words: string) => void process.stdout.write(`${words}\n`);
function hold(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

const postgres = await startPostgres({ fresh: true });
const { url: DATABASE_URL } = await createDatabase(postgres.url);
const env = {
  ...Object.fromEntries(
    Env.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  ),
  DATABASE_URL,
  CREDENTIALS_KEY: `1:${randomBytes(32).toString("base64")}`,
  OWNER_EMAIL: "ada@example.com",
  SIGN_UP: "invite",
};
const inside = (command: readonly string[]) => ["/usr/sbin/chroot", `--userspec=${User}`, root, ...command];

hold(/^\d+:\d+$/.test(User), `the image runs as "${User}", which Kubernetes cannot see not to be root`);
const migrated = await runProgram(inside([...Entrypoint, "migrate"]), { env });
hold(migrated.code === 0, `migrate exits with ${migrated.code}: ${migrated.stderr}`);

const from = performance.now();
const api = startProgram(inside(Entrypoint), { env });
const { url } = JSON.parse(await api.waitForLine('"msg":"listening"'));
say(`listens ${((performance.now() - from) / 1_000).toFixed(1)} s after its start`);
const { port } = new URL(url);
const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
hold((await get("/ready")).status === 200, "/ready is not 200");
hold((await (await get("/", { accept: "text/html" })).text()).includes("<script"), "there is no console");
hold((await (await get("/install.sh")).text()).startsWith("#!/bin/sh"), "there is no device agent");
await api.waitForLine("reset-password#token=");
const status = await readFile(`/proc/${api.pid}/status`, "utf8");
hold(/^Uid:\t65532\t65532\t/m.test(status), "it does not run as 65532");
const [kind, ...check] = Healthcheck.Test;
hold(kind === "CMD", "the health check needs a shell");
const healthy = () => runProgram(inside(check), { env });
hold((await healthy()).code === 0, "the health check fails while the API answers");
const written = await runProgram(["touch", `${root}/app/x`], { env: { PATH: process.env.PATH } });
hold(written.code !== 0, "the root file system can be written to");

const stopped = performance.now();
const code = await api.end(StopSignal as NodeJS.Signals);
const took = performance.now() - stopped;
hold(code === 0 && took < 10_000, `${StopSignal} ends it with ${code} after ${took} ms`);
say(`${StopSignal} ends it in ${(took / 1_000).toFixed(1)} s`);
hold((await healthy()).code === 1, "the health check passes while nothing runs");
await postgres.stop();
