import type { Database } from "@grove/db";
import { excerptOfLog } from "@grove/integrations";
import { type GateRun, type HeldReason, messageOf } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { pullPollTimes } from "../../changes/pulls/pollTimes";
import { projectSecrets } from "../../changes/pulls/secrets";
import { touchChange } from "../../changes/touch";
import { WakeUp } from "../../lib/wakeUp";
import { enqueueFailedChecks } from "../../notifications/enqueueFailedChecks";
import type { Services } from "../../services";
import { refreshRounds } from "../refreshRounds";
import type { HeadKey } from "./failedHead";
import { type Failure, fingerprintOf } from "./failure";
import { sendFailure } from "./sendFailure";
import { sentRound } from "./sentRound";

/** How often the failed checks are read. Few wait at a time, for an agent that works or asks. */
const POLL_MS = 5_000;
const BATCH = 1_000;

/** A failed check that was started because an agent finished. */
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
 * Sends failures of repositories' own checks to the agents that have finished, as {@link sendFailure} does, or leaves
 * them to people. Any number of processes may do so.
 * @returns a function that stops it, once the work in progress is done
 */
export function startGateRounds(services: Services): () => Promise<void> {
  const { draining, log, config } = services;
  const { checkingMs } = { ...pullPollTimes, ...config.pullPolling };
  const pause = new WakeUp();
  const run = async () => {
    while (!draining.aborted) {
      await sendAll(services).catch((error) => {
        if (!draining.aborted) log.error({ err: error }, "could not read the failed checks");
      });
      await pause.wait(Math.min(POLL_MS, checkingMs), [draining]);
    }
  };
  const running = run();
  return () => running;
}

async function sendAll(services: Services): Promise<void> {
  const { database, log, draining } = services;
  for (const gate of await selectFailed(database.db)) {
    if (draining.aborted) return;
    await sendFailedGate(services, gate).catch((error) => {
      if (!draining.aborted)
        log.error({ changeId: gate.change_id, reason: messageOf(error) }, "could not send a failed check");
    });
  }
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

async function sendFailedGate(services: Services, gate: FailedGate): Promise<void> {
  const { db } = services.database;
  const { organization_id: organizationId, change_id: changeId, branch, result, read_at: readAt } = gate;
  const head = result?.commit ?? gate.gate_command_id;
  const key: HeadKey = { organizationId, changeId, kind: "gate", head, readAt };
  await refreshRounds(db, key);
  const sent = await sentRound(db, key);
  const read = () => readFailure(services, gate);
  const reason = sent ? sent.reason : await sendFailure(db, { ...key, branch, readFailure: read });
  if (reason) await leaveToPeople(db, gate, reason);
}

async function readFailure(
  services: Services,
  { organization_id: organizationId, project_id: projectId, result }: FailedGate,
): Promise<Failure> {
  const secrets = (await projectSecrets(services, { organizationId, projectId })).map(({ value }) => value);
  const excerpt = result && excerptOfLog({ text: result.output, linesBefore: 0 }, secrets);
  const name = result?.timedOut ? ".grove/check (took too long)" : ".grove/check";
  return {
    checks: [{ name, url: null, excerpt }],
    more: 0,
    fingerprint: fingerprintOf([name, excerpt ?? ""]),
  };
}

/** Leaves a failed check to a person. Notifies people once for the same files. */
async function leaveToPeople(
  db: Kysely<Database>,
  { organization_id: organizationId, change_id: changeId, gate_command_id: commandId, result }: FailedGate,
  reason: HeldReason,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const held = await trx
      .updateTable("changes")
      .set({ gate_held_reason: reason })
      .where("organization_id", "=", organizationId)
      .where("id", "=", changeId)
      .where("gate_command_id", "=", commandId)
      .where("gate_state", "=", "failed")
      .where("gate_held_reason", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!held) return;
    await touchChange(trx, { organizationId, changeId });
    const head = result?.tree ?? commandId;
    await enqueueFailedChecks(trx, { organizationId, changeId, head: `gate ${head}` });
  });
}
