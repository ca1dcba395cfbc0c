import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestApi } from "@grove/test-api";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { onTestFinished } from "vitest";
import { gitEnv } from "./repository";

/** The built `grove-device`. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts the built `grove-device`, which is killed when the test is over. */
export const startGroveDevice = (args: string[], env: NodeJS.ProcessEnv, cwd?: string) =>
  startProgram([process.execPath, program, ...args], {
    env: { ...gitEnv, ...env },
    cwd,
    endAfter: onTestFinished,
  });

/** Runs the built `grove-device` to its end. */
export const groveDevice = (args: string[], env: NodeJS.ProcessEnv, cwd?: string) =>
  startGroveDevice(args, env, cwd).ended;

/** Starts the built device agent, which is killed when the test is over. */
export const startAgent = (env: NodeJS.ProcessEnv) => startGroveDevice(["start"], env);

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
