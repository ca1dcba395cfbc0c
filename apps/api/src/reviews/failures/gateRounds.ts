import type { Database } from "@grove/db";
import { excerptOfLog } from "@grove/integrations";
import { type GateRun, messageOf } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { projectSecrets } from "../../changes/pulls/secrets";
import { startWorkLoop } from "../../lib/workLoop";
import type { Services } from "../../services";
import type { FailedHead } from "./failedHead";
import { type Failure, fingerprintOf } from "./failure";
import { sendOrHoldBack } from "./sendOrHoldBack";

/** How often the failed gates are read. Few wait at a time, for an agent that works or asks. */
const POLL_MS = 5_000;
const BATCH = 1_000;

/** A failed gate that was started because an agent finished. */
interface FailedGate {
  organization_id: string;
  change_id: string;
  project_id: string;
  branch: string;
  gate_command_id: string;
  /** Null once the result was deleted. */
  result: GateRun | null;
  read_at: string;
}

/**
 * Sends failures of gates to the agents that have finished, or holds them back for people. Any
 * number of processes may do so.
 * @returns a function that stops it, once the work in progress is done
 */
export const startGateRounds = (services: Services): (() => Promise<void>) =>
  startWorkLoop(services, {
    run: () => sendAll(services),
    failure: "could not read the failed gates",
    maxWaitMs: Math.min(POLL_MS, services.config.pullPolling?.checkingMs ?? POLL_MS),
  });

async function sendAll(services: Services): Promise<null> {
  const { database, log, draining } = services;
  for (const gate of await selectFailed(database.db)) {
    if (draining.aborted) break;
    await sendOrHoldBack(database.db, toFailedHead(services, gate)).catch((error) => {
      if (!draining.aborted)
        log.error({ changeId: gate.change_id, reason: messageOf(error) }, "could not send a failed gate");
    });
  }
  return null;
}

async function selectFailed(db: Kysely<Database>): Promise<FailedGate[]> {
  const { rows } = await sql<FailedGate>`
    select change.organization_id, change.id as change_id, change.project_id, change.branch, change.gate_command_id,
      command.result, now() as read_at
    from changes as change
    left join device_commands as command
      on command.organization_id = change.organization_id and command.id = change.gate_command_id
    where change.gate_state = 'failed' and change.gate_is_automatic and change.gate_held_reason is null
    limit ${sql.lit(BATCH)}`.execute(db);
  return rows;
}

function toFailedHead(services: Services, gate: FailedGate): FailedHead {
  const { gate_command_id: commandId, result } = gate;
  return {
    organizationId: gate.organization_id,
    changeId: gate.change_id,
    kind: "gate",
    head: result?.commit ?? commandId,
    readAt: gate.read_at,
    branch: gate.branch,
    readFailure: () => readFailure(services, gate),
    commandId,
    filesId: result?.tree ?? commandId,
  };
}

async function readFailure(
  services: Services,
  { organization_id: organizationId, project_id: projectId, result }: FailedGate,
): Promise<Failure> {
  const secrets = (await projectSecrets(services, { organizationId, projectId })).map(({ value }) => value);
  const excerpt = result && excerptOfLog({ text: result.output, linesBefore: 0 }, secrets);
  const name = result?.timedOut ? ".grove/check (took too long)" : ".grove/check";
  return {
    failed: [{ name, url: null, excerpt }],
    more: 0,
    fingerprint: fingerprintOf([name, excerpt ?? ""]),
  };
}
