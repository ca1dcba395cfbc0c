import type { GroveError } from "@grove/auth";
import { announceToDevice, isStatementTimeout, isUnavailable } from "@grove/db";
import type { AgentExecuteInput } from "@grove/schemas";
import type { MaybeCachedRequester } from "../../lib/idempotency";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { attempt } from "./submit";

/** The pause before a command is submitted again after the connection to the database was lost. */
const RETRY_MS = 1_000;

/** The command's id, and how long its caller waits, on the clock of `performance.now()`. */
interface UncertainCommand {
  id: string;
  deadline: number;
  caller: AbortSignal | undefined;
}

/**
 * Submits a command again until its caller's deadline. An earlier attempt may have made its row before the connection
 * to the database was lost. That is safe: the id is the primary key.
 * @param uncertain the error of the earlier attempt, thrown again when the time ends and nothing is decided
 * @throws {GroveError} as `submit`
 */
export async function retryUncertain(
  services: Pick<Services, "database" | "dispatch" | "draining">,
  principal: MaybeCachedRequester,
  input: AgentExecuteInput,
  uncertain: GroveError,
  { id, deadline, caller }: UncertainCommand,
): Promise<CommandRow> {
  const signals = caller ? [services.draining, caller] : [services.draining];
  while (performance.now() + RETRY_MS < deadline && !signals.some((signal) => signal.aborted)) {
    await new WakeUp().wait(RETRY_MS, signals);
    const row = await attemptAgain(services, principal, input, id);
    if (row) return row;
  }
  throw uncertain;
}

/**
 * Submits again a command whose row may exist. Returns undefined while that is unknown: an earlier attempt may still be
 * waiting in PostgreSQL for its commit.
 */
async function attemptAgain(
  services: Pick<Services, "database" | "dispatch" | "draining">,
  principal: MaybeCachedRequester,
  input: AgentExecuteInput,
  id: string,
): Promise<CommandRow | undefined> {
  try {
    const row = await attempt(services, principal, input, id);
    if (row) return row;
    const existing = await services.dispatch.read(input.organizationId, id);
    if (!existing) return undefined;
    // The command may have been claimed for a stream, here or on another process, that was never notified.
    services.dispatch.streams.of(input.deviceId)?.inbox.resync();
    if (existing.status === "claimed")
      announceToDevice(services.database.notifier, input.deviceId, { kind: "claimed", value: id });
    return existing;
  } catch (error) {
    if (isUnavailable(error) || isStatementTimeout(error)) return undefined;
    throw error;
  }
}
