import { join } from "node:path";
import { createDatabase, startPostgres } from "@grove/testing/postgres";
import { type Started, startProgram } from "@grove/testing/process";
import { afterAll, beforeAll, it } from "vitest";
import { createMachine, type Machine } from "../support/machine";
import { casesOf, commandsOf, readPages } from "./blocks";
import { openShell } from "./shell";
import { shipCommands, type Team } from "./shipCommands";

let machine: Machine;
let team: Team;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let api: Started | undefined;
let address = "";

beforeAll(async () => {
  machine = await createMachine();
  const dataDir = join(machine.root, "data");
  const home = machine.env.HOME ?? "";
  Object.assign(machine.env, {
    DATA_DIR: dataDir,
    PORT: "0",
    npm_config_prefix: join(home, "npm"),
    // The proof has filled npm's cache, since the network is out of reach now.
    npm_config_prefer_offline: "true",
    npm_config_cache: process.env.npm_config_cache,
    npm_config_registry: process.env.npm_config_registry,
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.com",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
  });
  postgres = await startPostgres({ fresh: true });
  const { DATA_DIR: _ofTheServer, ...env } = machine.env;
  team = {
    shell: await openShell(machine),
    local: { shell: await openShell({ ...machine, env }) },
    dataDir,
    ada: { token: "" },
    databaseUrl: async () => (await createDatabase(postgres.url)).url,
    running: async () => {
      if (api?.running) return address;
      const env = { ...team.shell.env, DATA_DIR: dataDir };
      api = startProgram(["grove-api"], { env });
      address = JSON.parse(await api.waitForLine('"msg":"listening"')).url;
      // The next start then uses the same address, where the doctor finds the server.
      team.shell.env.PORT = new URL(address).port;
      return address;
    },
    stopped: async () => void (await api?.end("SIGTERM")),
  };
});

afterAll(async () => {
  await team?.local.grove?.end("SIGINT");
  await api?.end("SIGTERM");
  await postgres.stop();
  await machine.remove();
});

it.each(casesOf(shipCommands, commandsOf(await readPages())))("$name", ({ run }) => run(team));
