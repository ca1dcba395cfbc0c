import { spawn } from "node:child_process";
import { once } from "node:events";
import { programPath } from "./paths";
import { exitWithParent } from "./program";

/** Runs the API alone in the foreground, with this process's own input and output, and ends as it ends. */
export async function runBare(env: NodeJS.ProcessEnv, stop: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [...exitWithParent, programPath("api")], {
    env,
    detached: true,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  stop.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
}
