import { type DevicePrincipal, GroveError } from "@grove/auth";
import { notification } from "@grove/db";
import { type agentReportSessionInput, sessionOutputLimits } from "@grove/schemas";
import { sql } from "kysely";
import type { z } from "zod";
import type { Services } from "../services";
import { noSession } from "./sessions";

type Report = z.infer<typeof agentReportSessionInput>;
type ReportOf<Type extends Report["type"]> = Extract<Report, { type: Type }>;

/**
 * What a device says of one of its sessions. Each report is one statement that changes nothing when it is repeated.
 * @throws NOT_FOUND for a session, workspace or command that is not this device's
 */
export async function reportSession(
  services: Services,
  device: DevicePrincipal,
  report: Report,
): Promise<void> {
  const changed =
    report.type === "start"
      ? await begin(services, device, report)
      : report.type === "output"
        ? await append(services, device, report)
        : await end(services, device, report);
  if (!changed) await requireOwn(services, device, report);
}

async function begin(
  { database }: Services,
  device: DevicePrincipal,
  { id, workspaceId, agent, commandId }: ReportOf<"start">,
): Promise<boolean> {
  const { rows } = await sql<{ workspace: boolean; command: boolean; inserted: boolean }>`
    with workspace as (
      select id from workspaces
      where organization_id = ${device.organizationId} and id = ${workspaceId} and device_id = ${device.deviceId}),
    command as (
      select requested_by, params ->> 'taskId' as task_id from device_commands
      where organization_id = ${device.organizationId} and id = ${commandId ?? null}::uuid
        and device_id = ${device.deviceId} and tool = 'start_agent_session'),
    inserted as (
      insert into agent_sessions (organization_id, id, device_id, workspace_id, agent, started_by, task_id)
      select ${device.organizationId}::uuid, ${id}::uuid, ${device.deviceId}::uuid, workspace.id, ${agent}::text,
        command.requested_by, command.task_id::uuid
      from workspace left join command on true
      where ${commandId ?? null}::uuid is null or exists (select from command)
      on conflict do nothing
      returning id)
    select exists (select from workspace) as workspace, exists (select from command) as command,
      exists (select from inserted) as inserted
  `.execute(database.db);
  const [found] = rows;
  if (!found?.workspace)
    throw new GroveError("NOT_FOUND", `There is no workspace ${workspaceId} on this device.`);
  if (commandId !== undefined && !found.command)
    throw new GroveError("NOT_FOUND", `This device has no start_agent_session ${commandId}.`);
  return found.inserted;
}

/** The chunk is kept, and what is more than the kept tail is dropped: all or nothing. */
async function append(
  { database }: Services,
  device: DevicePrincipal,
  { id, sequence, data }: ReportOf<"output">,
): Promise<boolean> {
  const { rows } = await sql`
    with session as (
      update agent_sessions
      set last_sequence = ${sequence}::integer, output_bytes = output_bytes + ${Buffer.byteLength(data)}::integer
      where organization_id = ${device.organizationId} and id = ${id} and device_id = ${device.deviceId}
        and status = 'running' and last_sequence < ${sequence}::integer
      returning organization_id, id, output_bytes),
    added as (
      insert into agent_session_output (organization_id, session_id, sequence, data, end_byte)
      select organization_id, id, ${sequence}::integer, ${data}::text, output_bytes from session),
    dropped as (
      delete from agent_session_output as output using session
      where output.organization_id = session.organization_id and output.session_id = session.id
        and output.end_byte <= session.output_bytes - ${sql.lit(sessionOutputLimits.keptBytes)})
    select ${notification("session_changed", sql`id::text`)} from session
  `.execute(database.db);
  return rows.length > 0;
}

async function end(
  { database }: Services,
  device: DevicePrincipal,
  { id, status, exitCode }: ReportOf<"end">,
): Promise<boolean> {
  const ended = await database.db
    .updateTable("agent_sessions")
    .set({ status, exit_code: exitCode ?? null, ended_at: sql<Date>`now()` })
    .where("organization_id", "=", device.organizationId)
    .where("id", "=", id)
    .where("device_id", "=", device.deviceId)
    .where("status", "=", "running")
    .returning(notification("session_changed", sql<string>`id::text`).as("announced"))
    .execute();
  return ended.length > 0;
}

/** A report that changed nothing is a repeated one, or about another device's session. */
async function requireOwn({ database }: Services, device: DevicePrincipal, { id }: Report): Promise<void> {
  const session = await database.db
    .selectFrom("agent_sessions")
    .select("id")
    .where("organization_id", "=", device.organizationId)
    .where("id", "=", id)
    .where("device_id", "=", device.deviceId)
    .executeTakeFirst();
  if (!session) noSession(id);
}
