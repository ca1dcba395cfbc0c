import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Device, LocalFile } from "@grove/schemas";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { ProgramLog } from "../run/programLog";
import { startApi } from "./api";
import { type DataDir, openDataDir } from "./dataDir";
import { runDevice, startAgent } from "./device";
import { ensureIdentity } from "./identity";

const DEFAULT_PORT = 3000;
/**
 * Together under 10 s: whoever asked the launcher to stop does not wait for longer. The device needs its share to end
 * git and to undo what is half-made; the API is done in a moment, and its database survives worse.
 */
const DEVICE_GRACE_MS = 7_500;
const API_GRACE_MS = 2_000;

export interface LocalOptions {
  env: Env;
  /** Absolute. */
  dataDir: string;
  /** By default the one of the last time, or 3000; 0 for any that is free. */
  port?: number;
  verbose: boolean;
  /** Tells the user what happens. */
  say(text: string): void;
  /** Aborted to end the start-up; what has been started by then is stopped. */
  signal: AbortSignal;
}

/** Local mode, running: the API on the embedded database, and this machine as its device. */
export interface Local {
  file: LocalFile;
  device: Device;
  dir: DataDir;
  /** What the device program is run with to act on this device. */
  deviceEnv: NodeJS.ProcessEnv;
  /** Aborted when the API has ended by itself, with a reason that says why. */
  failed: AbortSignal;
  /** Ends the device, then the API. */
  close(): Promise<void>;
}

/**
 * Starts local mode on a data directory, making in it what is not there yet.
 * @throws {UserError} when it cannot; the signal's reason when aborted. Nothing is left running then.
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
    const api = startApi({ ...env.forApi, DATA_DIR: dir.root, PORT: String(port) }, openLog("api"));
    toClose.push(() => api.program.stop(API_GRACE_MS));
    const signal = AbortSignal.any([options.signal, api.program.ended]);
    const apiUrl = await api.ready(signal);

    const deviceEnv = envForDevice(env, dir);
    const file = await ensureIdentity({
      apiUrl,
      dir,
      proofKey: (await readFile(dir.proofKey, "utf8")).trim(),
      say,
      signal,
      registerDevice: async (apiKey) => {
        // Whether it has to is settled: what an earlier registration left is no longer good.
        await runDevice(["register", "--force"], { ...deviceEnv, API_URL: apiUrl, API_KEY: apiKey }, signal);
      },
    });

    say("Connecting the device");
    const agent = startAgent(file, deviceEnv, openLog("device"), say);
    toClose.push(() => agent.stop(DEVICE_GRACE_MS));
    const device = await agent.online(signal);
    return { file, device, dir, deviceEnv, failed: api.program.ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the device program is run with to act on the device of a data directory. */
export const envForDevice = (env: Env, { root, groveHome }: DataDir): NodeJS.ProcessEnv => ({
  ...env.forDevice,
  GROVE_HOME: groveHome,
  // So that the commands it says to run are there, and act on this device.
  GROVE_COMMAND: shell(commandFor(root, env, ["device"])),
});

const portOf = (url: string | undefined): number | undefined =>
  url === undefined ? undefined : Number(new URL(url).port);
