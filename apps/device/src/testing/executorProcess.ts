/** A process for executor.test.ts to kill: takes one command and works on it forever. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createDeviceApi } from "../cloud/deviceApi";
import { Executor } from "../commands/executor";
import { Journal } from "../commands/journal";
import { Outbox } from "../commands/outbox";
import type { Tools } from "../tool";
import { silent } from "./log";

const [url = "", home = ""] = process.argv.slice(2);
const forEver = () => new Promise<never>(() => setInterval(() => {}, 60_000));
const tools: Tools = {
  create_workspace: { run: forEver },
  list_workspaces: { run: forEver },
  get_app_context: { run: forEver },
  list_projects: {
    run: (_params, { commandId }) => {
      process.stdout.write(`begun ${commandId}\n`);
      return forEver();
    },
  },
};
const cloud = createDeviceApi(url, "grd_test");
const journal = await Journal.open(join(home, "journal.jsonl"), silent);
const deviceId = randomUUID();
const executor = new Executor({
  deviceId,
  isOwner: async () => false,
  cloud,
  journal,
  outbox: new Outbox(cloud, journal, silent),
  tools,
  log: silent,
});
const id = randomUUID();
executor.deliver({
  type: "command",
  id,
  deviceId,
  tool: "list_projects",
  params: {},
  remainingMs: 60_000,
  startWithinMs: 60_000,
  requestedBy: null,
});
