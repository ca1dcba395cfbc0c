import { type DevicePrincipal, GroveError } from "@grove/auth";
import { type Database, notification } from "@grove/db";
import type { AgentReportSessionInput } from "@grove/schemas";
import { type Kysely, sql, type Transaction, type UpdateObject } from "kysely";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { firstStatusOf } from "../tasks/lockReferences";
import { workspaceNotFoundOnDevice } from "../workspaces/row";
import { lineText } from "./lineText";
import { initialName } from "./name";
import { recordState } from "./reportState";
import { startNotFound } from "./row";
import { startTask } from "./startTask";
import { withdrawRequests } from "./withdrawRequests";

type ReportOf<Type extends AgentReportSessionInput["type"]> = Extract<
  AgentReportSessionInput,
  { type: Type }
>;

/**
 * Applies a device's report about one of its sessions. Repeating a report changes nothing. The start of a session on a
 * task sets the task in progress.
 * @returns whether the session has viewers; for reports other than output always true, without a lookup
 * @throws {GroveError} NOT_FOUND for a session, workspace or command that is not this device's; CONFLICT
 * `journal_mismatch` for a start from a journal other than the connected one
 */
export async function reportSession(
  services: Pick<Services, "appendChunk" | "database" | "metrics">,
  device: DevicePrincipal,
  report: AgentReportSessionInput,
): Promise<{ isWatched: boolean }> {
  if (report.type === "output") {
    const appended = await append(services, device, report);
    if (appended) {
      services.metrics?.sessionOutput(Buffer.byteLength(report.data));
      return { isWatched: appended.is_watched };
    }
  } else if (await applyReport(services, device, report)) return { isWatched: true };
  await requireOwn(services, device, report);
  return { isWatched: true };
}

const append = (
  { appendChunk }: Pick<Services, "appendChunk">,
  device: DevicePrincipal,
  chunk: ReportOf<"output">,
) =>
  appendChunk({
    organization_id: device.organizationId,
    device_id: device.deviceId,
    id: chunk.id,
    sequence: chunk.sequence,
    data: chunk.data,
    bytes: Buffer.byteLength(chunk.data),
  });

/** @returns whether it changed anything */
function applyReport(
  services: Pick<Services, "database">,
  device: DevicePrincipal,
  report: Exclude<AgentReportSessionInput, { type: "output" }>,
): Promise<boolean> {
  switch (report.type) {
    case "start":
      return begin(services, device, report);
    case "waiting":
      return change(services.database, device, report.id, {
        ...lastLineOnScreen(report.questionText ?? ""),
        waiting_for_input: report.waitingForInput,
        question_text: (report.waitingForInput && report.questionText) || null,
        screen: (report.waitingForInput && report.screen) || null,
      });
    case "state":
      return recordState(services, device, report);
    case "end":
      return end(services, device, report);
  }
}

const begin = (
  { database }: Pick<Services, "database">,
  device: DevicePrincipal,
  start: ReportOf<"start">,
): Promise<boolean> =>
  database.db.transaction().execute(async (trx) => {
    const { organizationId } = device;
    // Locked before the task, as in every transaction that moves one.
    const status = await firstStatusOf(trx, organizationId, "started");
    const name = await initialName(trx, { ...device, commandId: start.commandId });
    const { inserted, taskId, startedBy } = await insertSession(trx, device, { ...start, name });
    if (inserted && taskId !== null)
      await startTask(trx, organizationId, { taskId, workspaceId: start.workspaceId, startedBy, status });
    return inserted;
  });

async function insertSession(
  trx: Transaction<Database>,
  device: DevicePrincipal,
  { id, journalId, workspaceId, agent, commandId, name }: ReportOf<"start"> & { name: string | null },
): Promise<{ inserted: boolean; taskId: string | null; startedBy: string | null }> {
  // The device's row is locked, so that a connect with another journal sees this session or refuses its start.
  const { rows } = await sql<{
    journal: boolean;
    workspace: boolean;
    command: boolean;
    inserted: boolean;
    task_id: string | null;
    started_by: string | null;
  }>`
    with journal as (
      select id from devices
      where organization_id = ${device.organizationId} and id = ${device.deviceId} and journal_id = ${journalId}
      for share),
    workspace as (
      select id from workspaces
      where organization_id = ${device.organizationId} and id = ${workspaceId} and device_id = ${device.deviceId}),
    command as (
      select requested_by, principal, params ->> 'taskId' as task_id from device_commands
      where organization_id = ${device.organizationId} and id = ${commandId ?? null}::uuid
        and device_id = ${device.deviceId} and tool = 'start_agent_session'),
    task as (
      select tasks.id from tasks join command on tasks.id = command.task_id::uuid
      where tasks.organization_id = ${device.organizationId} and tasks.deleted_at is null),
    inserted as (
      insert into agent_sessions
        (organization_id, id, device_id, journal_id, workspace_id, agent, name, started_by, started_with, task_id)
      select ${device.organizationId}::uuid, ${id}::uuid, ${device.deviceId}::uuid, ${journalId}::uuid, workspace.id,
        ${agent}::text, ${name}::text, command.requested_by, command.principal, task.id
      from journal cross join workspace left join command on true left join task on true
      where ${commandId ?? null}::uuid is null or exists (select from command)
      on conflict do nothing
      returning id)
    select exists (select from journal) as journal, exists (select from workspace) as workspace, exists (select from command) as command,
      exists (select from inserted) as inserted, (select id from task) as task_id,
      (select requested_by from command) as started_by
  `.execute(trx);
  const [found] = rows;
  if (!found?.workspace) throw workspaceNotFoundOnDevice(workspaceId);
  if (commandId !== undefined && !found.command) throw startNotFound(commandId);
  if (!found.journal)
    throw new GroveError("CONFLICT", `This device is not connected with the journal ${journalId}.`, {
      reason: "journal_mismatch",
    });
  return { inserted: found.inserted, taskId: found.task_id, startedBy: found.started_by };
}

/** Changes a session that runs on the device, and notifies its watchers. */
async function change(
  { db }: { db: Kysely<Database> },
  device: DevicePrincipal,
  id: string,
  values: UpdateObject<Database, "agent_sessions">,
): Promise<boolean> {
  const changed = await db
    .updateTable("agent_sessions")
    .set(values)
    .where("organization_id", "=", device.organizationId)
    .where("id", "=", id)
    .where("device_id", "=", device.deviceId)
    .where("status", "=", "running")
    .returning([
      notification("session_changed", sql<string>`id::text`).as("announced"),
      notification("attention", sql<string>`organization_id::text`).as("announced_attention"),
    ])
    .execute();
  return changed.length > 0;
}

const endOf = ({ status, exitCode, error }: ReportOf<"end">) => ({
  status,
  exit_code: exitCode ?? null,
  error: error ? JSON.stringify(error) : null,
  waiting_for_input: false,
  question_text: null,
  screen: null,
  activity: null,
  activity_detail: null,
  ended_at: sql<string>`now()`,
});

/** Ends a session, and withdraws the requests of its agent. */
const end = (
  { database }: Pick<Services, "database">,
  device: DevicePrincipal,
  report: ReportOf<"end">,
): Promise<boolean> =>
  database.db.transaction().execute(async (trx) => {
    const hasEnded = await change({ db: trx }, device, report.id, endOf(report));
    if (hasEnded)
      await withdrawRequests(trx, { organizationId: device.organizationId, sessionId: report.id });
    return hasEnded;
  });

/** The screen's last line, which is more accurate than the output of a full-screen program. */
const lastLineOnScreen = (questionText: string) => {
  const last = questionText.split("\n").findLast((line) => lineText(line) !== null);
  return last === undefined ? {} : { last_line: `${lineText(last)}\n` };
};

/** A report that changed nothing is a repeated one, or about another device's session. */
async function requireOwn(
  { database }: Pick<Services, "database">,
  device: DevicePrincipal,
  { id }: AgentReportSessionInput,
): Promise<void> {
  const session = await database.db
    .selectFrom("agent_sessions")
    .select("id")
    .where("organization_id", "=", device.organizationId)
    .where("id", "=", id)
    .where("device_id", "=", device.deviceId)
    .executeTakeFirst();
  if (!session) throw notFound("agent session", id);
}
