import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Outputs } from "@grove/client";
import { PAIRING_MINUTES, type Platform } from "@grove/schemas";
import { version } from "../../package.json";
import { note } from "./usage";

type Registered = Outputs["device"]["register"];

const ASK_MS = 2_000;

/** A machine, as it describes itself. */
interface Machine {
  name: string;
  platform: Platform;
}

/**
 * Registers this machine without a key: shows a code, and waits until a member approves it in the console.
 * @throws {Error} if it is not approved in time, or at Ctrl+C; with the API's message if it refuses
 */
export async function pair(client: Client, apiUrl: string, machine: Machine): Promise<Registered> {
  const stop = new AbortController();
  const giveUp = () => stop.abort(new Error("This machine was not registered."));
  process.once("SIGINT", giveUp);
  try {
    const { secret, code } = await client.device.requestPairing.mutate({ ...machine, agentVersion: version });
    note(`
  Open     ${apiUrl}/device?code=${code}
  Compare  ${code}

Waiting until a member of your organization approves this machine, at most ${PAIRING_MINUTES} minutes.`);
    for (;;) {
      const device = await finish(client, secret, machine);
      if (device) return device;
      await sleep(ASK_MS, undefined, { signal: stop.signal }).catch(() => stop.signal.throwIfAborted());
    }
  } finally {
    process.off("SIGINT", giveUp);
  }
}

/** Registers this machine with a registration's token. */
export async function redeem(client: Client, token: string, machine: Machine): Promise<Registered> {
  const device = await finish(client, token, machine);
  if (!device) throw new Error("This is not a registration token. Copy the whole line from the console.");
  return device;
}

const finish = async (client: Client, secret: string, machine: Machine) =>
  (await client.device.finishPairing.mutate({ secret, ...machine })).device;
