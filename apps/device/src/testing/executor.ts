import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { CommandDelivery, deviceTools } from "@grove/schemas";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { onTestFinished } from "vitest";
import type * as z from "zod";
import { createDeviceApi } from "../cloud/deviceApi";
import { Executor, type ExecutorDeps } from "../commands/executor";
import { Journal } from "../commands/journal";
import { Outbox } from "../commands/outbox";
import { DeviceOwner } from "../home/deviceOwner";
import type { ToolContext, Tools } from "../tool";
import { DEVICE_ID, startTestCloud, type TestCloud } from "./cloud";
import { silent } from "./log";
import { startSizeLimit } from "./sizeLimit";

/** A command in the form that the API sends. */
export const command = (
  id: string = randomUUID(),
  remainingMs = 60_000,
  tool = "list_projects",
  startWithinMs = 60_000,
): CommandDelivery => ({
  type: "command",
  id,
  deviceId: DEVICE_ID,
  tool,
  params: {},
  remainingMs,
  startWithinMs,
  requestedBy: null,
});

type Work = (context: ToolContext) => Promise<void>;
type Projects = z.infer<typeof deviceTools.list_projects.result>["projects"];
type Recover = (notes: readonly unknown[], context: Pick<ToolContext, "signal">) => Promise<string>;

const notTested = () => Promise.reject(new Error("not in this test"));

/** All tools of a device. `list_projects` does the test's work, and its runs are counted. */
function toolsDoing(work: Work, recover?: Recover, projects: Projects = []) {
  const runs = new Map<string, number>();
  const tools: Tools = {
    create_workspace: { run: notTested, ...(recover && { recover }) },
    list_workspaces: { run: notTested },
    get_app_context: { run: notTested },
    list_projects: {
      run: async (_params, context) => {
        runs.set(context.commandId, (runs.get(context.commandId) ?? 0) + 1);
        await work(context);
        return { projects };
      },
    },
  };
  return { tools, runs };
}

interface Options {
  work?: Work;
  recover?: Recover;
  /** The result of each `list_projects`. */
  projects?: Projects;
  /** Given to simulate a process that starts on an earlier one's home. */
  home?: string;
  test?: TestCloud;
  limits?: ExecutorDeps["limits"];
  /** The largest request that a proxy before the API accepts. Without it there is no proxy. */
  maxRequestBytes?: number;
}

/** An executor with a real journal, on a test cloud. */
export async function startTestExecutor(options: Options = {}) {
  const test = options.test ?? (await startTestCloud());
  const home = options.home ?? (await temporaryDirectory());
  const { tools, runs } = toolsDoing(options.work ?? (async () => {}), options.recover, options.projects);
  const { maxRequestBytes } = options;
  const url = maxRequestBytes === undefined ? test.url : await startSizeLimit(test.url, maxRequestBytes);
  const cloud = createDeviceApi(url, "grd_test");
  const journal = await Journal.open(join(home, "journal.jsonl"), silent);
  const outbox = new Outbox(cloud, journal, silent);
  const owner = new DeviceOwner(cloud);
  const executor = new Executor({
    deviceId: DEVICE_ID,
    isOwner: (userId, signal) => owner.is(userId, signal),
    cloud,
    journal,
    outbox,
    tools,
    log: silent,
    limits: options.limits,
  });
  onTestFinished(async () => {
    await executor.stop();
    outbox.stop();
    await journal.close();
  });
  return { test, home, cloud, journal, outbox, executor, runs };
}
