import { setFlagsFromString } from "node:v8";
import { endTracing, startTracing } from "@grove/tracing";
import type { Command } from "commander";
import { version } from "../../package.json";
import { runAgent } from "../agent";
import { type Env, readEnv } from "../env";
import { openHome } from "../home/home";
import { createLog } from "../log";
import { example, exitCodes, note } from "./usage";

/** `grove-device start` */
export function addStartCommand(program: Command): void {
  program
    .command("start")
    .description("Run grove-device in the foreground; logs go to stderr.")
    .addHelpText(
      "after",
      `${example("grove-device start")}\nExits with ${exitCodes.revoked} if the API no longer accepts this machine's key.\n`,
    )
    .action(async () => {
      const stopped = await start(readEnv());
      if (!stopped)
        note(
          "The API no longer accepts this machine's device key: the device was revoked. Run `grove-device register --force` to register it again.",
        );
      // Calls that still wait for a response must not keep the process alive.
      process.exit(stopped ? 0 : exitCodes.revoked);
    });
}

/**
 * Runs the device agent in the foreground until SIGINT, SIGTERM or SIGHUP; a second signal ends it immediately.
 * @returns false if the API no longer accepts this machine's key
 */
async function start(env: Env): Promise<boolean> {
  if (process.platform === "win32")
    throw new Error("grove-device runs on Linux and macOS. A Windows machine can only be registered.");
  // The device agent is idle most of the time. This keeps the heap's nursery small after a burst, which saves 15 MB.
  setFlagsFromString("--semi-space-growth-factor=1");
  const log = createLog(env.logLevel);
  const home = await openHome(env.groveHome);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      log.info({ signal }, "stopping");
      stop.abort();
    });
  await startTracing({
    endpoint: env.otlpEndpoint,
    service: "grove-device",
    version,
    onProblem: (problem) => log.warn({ problem }, "spans could not be sent"),
  });
  try {
    return (await runAgent(home, env, log, stop.signal)) === "stopped";
  } finally {
    await endTracing();
  }
}
