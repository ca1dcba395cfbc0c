import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { TestApi } from "@grove/test-api";
import { onTestFinished } from "vitest";
import { hasEnded } from "./process";
import { gitEnv } from "./repository";
import { temporaryDirectory } from "./temp";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts the built `grove-device`, which is killed when the test is over. `ended` resolves with its result. */
export function startGroveDevice(args: string[], env: NodeJS.ProcessEnv, cwd?: string) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...gitEnv, ...env },
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    if (!hasEnded(child) && child.kill("SIGKILL")) await once(child, "exit");
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const ended = output.then(([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr }));
  return { child, ended };
}

/** Runs the built `grove-device` to its end. */
export const groveDevice = (args: string[], env: NodeJS.ProcessEnv, cwd?: string) =>
  startGroveDevice(args, env, cwd).ended;

/** Starts the built agent, which is killed when the test is over. `said` waits for a line of its log. */
export function startAgent(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program, "start"], {
    env: { ...gitEnv, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const waiting = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    log += chunk;
    for (const look of waiting) look();
  });
  onTestFinished(async () => {
    if (!hasEnded(child) && child.kill("SIGKILL")) await once(child, "exit");
  });
  return {
    child,
    log: () => log,
    said: (words: string) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          if (!log.includes(words)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        child.once("exit", () => reject(new Error(`the agent ended without saying "${words}":\n${log}`)));
        look();
      }),
    /** Ends it with a signal and returns its exit code. */
    end: async (signal: NodeJS.Signals): Promise<number | null> => {
      const gone = once(child, "exit");
      child.kill(signal);
      return (await gone)[0];
    },
  };
}

/** A machine that is registered with the API, in an organization of its own. */
export async function registerMachine(api: TestApi) {
  const organization = await api.signUp();
  const directory = await temporaryDirectory();
  const env = { GROVE_HOME: join(directory, "home"), API_URL: api.url };
  const registered = await groveDevice(["register", "--name", "laptop"], {
    ...env,
    API_KEY: organization.apiKey,
  });
  if (registered.code !== 0) throw new Error(registered.stderr);
  const { organizationId, client } = organization;
  const [device] = await client.device.list.query({ organizationId });
  if (!device) throw new Error("the device is not there");
  return { ...organization, directory, env, deviceId: device.id };
}

export type TestMachine = Awaited<ReturnType<typeof registerMachine>>;
