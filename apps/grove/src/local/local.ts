import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_PORT, type Device, type LocalFile } from "@grove/schemas";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { ProgramLog } from "../run/programLog";
import { startApi } from "./api";
import { type DataDir, openDataDir } from "./dataDir";
import { runDevice, startAgent } from "./device";
import { ensureIdentity } from "./identity";

/**
 * Together under 10 s, the longest that a user or a supervisor waits after asking the launcher to stop. The device
 * needs most of it to end git and to undo what is half-made. The API needs little, and its database survives worse.
 */
const DEVICE_GRACE_MS = 7_500;
const API_GRACE_MS = 2_000;

export interface LocalOptions {
  env: Env;
  /** An absolute path. */
  dataDir: string;
  /** By default the last one used, otherwise `DEFAULT_PORT`; 0 for any free port. */
  port?: number;
  verbose: boolean;
  /** Reports progress to the user. */
  say(text: string): void;
  /** Aborts the start-up, and stops the programs that have been started by then. */
  signal: AbortSignal;
}

/** A running local mode: the API on the embedded database, and this machine as its device. */
export interface Local {
  file: LocalFile;
  device: Device;
  dir: DataDir;
  /** The environment with which the device program acts on this device. */
  deviceEnv: NodeJS.ProcessEnv;
  /** Aborted when the API has ended and is not started again, with the cause as its reason. */
  failed: AbortSignal;
  /** Ends the device, then the API. */
  close(): Promise<void>;
}

/**
 * Starts local mode on a data directory, and makes everything in it that is missing.
 * @throws {UserError} if it cannot start; the signal's reason if aborted. Nothing is left running then.
 */
export async function startLocal({ env, say, verbose, ...options }: LocalOptions): Promise<Local> {
  const dir = await openDataDir(options.dataDir);
  const port = options.port ?? portOf((await dir.local.read())?.apiUrl) ?? DEFAULT_PORT;
  const toClose: (() => void | Promise<void>)[] = [];
  const close = async () => {
    for (const end of toClose.splice(0).reverse()) await end();
  };
  const openLog = (name: string) => {
    const log = new ProgramLog({ name, path: join(dir.logs, `${name}.log`), verbose, show: say });
    toClose.push(() => log.close());
    return log;
  };
  try {
    say(`Starting the API on the data in ${dir.root}`);
    const api = startApi(envForApi(env, dir, port), openLog("api"), say);
    toClose.push(() => api.stop(API_GRACE_MS));
    const signal = AbortSignal.any([options.signal, api.ended]);
    const apiUrl = await api.ready(signal);

    const deviceEnv = envForDevice(env, dir);
    const file = await ensureIdentity({
      apiUrl,
      dir,
      proofKey: (await readFile(dir.proofKey, "utf8")).trim(),
      say,
      signal,
      registerDevice: async (apiKey) => {
        // `--force`, because the caller has found any earlier registration to be invalid.
        await runDevice(["register", "--force"], { ...deviceEnv, API_URL: apiUrl, API_KEY: apiKey }, signal);
      },
    });

    say("Connecting the device");
    const agent = startAgent(file, deviceEnv, openLog("device"), say);
    toClose.push(() => agent.stop(DEVICE_GRACE_MS));
    const device = await agent.online(signal);
    return { file, device, dir, deviceEnv, failed: api.ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The environment of the API on a data directory. The console shows `LINK_COMMAND` to signed-out users. */
const envForApi = (env: Env, { root }: DataDir, port: number) => ({
  ...env.forApi,
  DATA_DIR: root,
  PORT: String(port),
  LINK_COMMAND: shell(commandFor(root, env, ["link"])),
});

/** The environment with which the device program acts on the device of a data directory. */
export const envForDevice = (env: Env, { root, groveHome }: DataDir): NodeJS.ProcessEnv => ({
  ...env.forDevice,
  GROVE_HOME: groveHome,
  // The device's messages name this command, so that their advice works and acts on this device.
  GROVE_COMMAND: shell(commandFor(root, env, ["device"])),
});

const portOf = (url: string | undefined): number | undefined =>
  url === undefined ? undefined : Number(new URL(url).port);
