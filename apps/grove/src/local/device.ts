import { createClient } from "@grove/client";
import type { Device, LocalFile } from "@grove/schemas";
import { keepRunning } from "../run/keepRunning";
import { programPath } from "../run/paths";
import { startProgram } from "../run/program";
import type { ProgramLog } from "../run/programLog";
import { runToEnd } from "../run/runToEnd";
import { waitFor } from "../run/wait";

const ONLINE_MS = 60_000;
/** The exit code of `grove-device start` when the API no longer accepts its key. */
const REVOKED = 4;

/** Runs the device program with these arguments, until it ends. */
export const runDevice = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string> => runToEnd(process.execPath, { args: [programPath("device"), ...args], env, signal });

export interface Agent {
  /** Resolves once the API reports the device as online through this device agent. */
  online(signal: AbortSignal): Promise<Device>;
  stop(graceMs: number): Promise<void>;
}

/** Runs the device agent, and starts it again whenever it ends, until it is stopped. */
export function startAgent(
  local: LocalFile,
  env: NodeJS.ProcessEnv,
  log: ProgramLog,
  say: (text: string) => void,
): Agent {
  const startedAt = Date.now();
  const path = programPath("device");
  const agent = keepRunning({
    start: () => startProgram({ path, args: ["start"], env, log }),
    onEnd: ({ code, message }, waitMs) => {
      const revoked = code === REVOKED;
      const next = revoked
        ? "Stop Grove and start it again, which registers this machine again."
        : `Starting it again in ${waitMs / 1_000} s.`;
      say(`grove-device ended: ${message}\n${next}`);
      return !revoked;
    },
  });
  const client = createClient({ apiUrl: local.apiUrl, token: local.apiKey });
  const isOnline = async (signal: AbortSignal) => {
    const devices = await client.device.list.query(
      { organizationId: local.organizationId, status: "online" },
      { signal },
    );
    const device = devices.find(({ id }) => id === local.deviceId);
    // After a crash, the previous device agent still counts as online for some seconds.
    return device?.lastSeenAt && Date.parse(device.lastSeenAt) >= startedAt ? device : undefined;
  };
  return {
    online: (signal) =>
      waitFor(isOnline, {
        signal,
        forMs: ONLINE_MS,
        otherwise: `The device did not connect within ${ONLINE_MS / 1_000} s. Its log is ${log.path}.`,
      }),
    stop: (graceMs) => agent.stop(graceMs),
  };
}
