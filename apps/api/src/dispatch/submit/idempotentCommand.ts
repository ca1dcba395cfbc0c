import { GroveError } from "@grove/auth";
import { type AgentExecuteInput, forgottenParam } from "@grove/schemas";
import { sql } from "kysely";
import { hashOf, idempotencyOwner, type Requester } from "../../lib/idempotency";
import { lifetimes } from "../../lib/lifetimes";
import type { Services } from "../../services";
import type { CommandRow } from "../command";

/**
 * The command that an idempotency key identifies. After 24 hours, or when the command is no longer kept, there is none,
 * and the key is free again.
 * @throws {GroveError} CONFLICT `idempotency_key_reused` if the key identifies something else
 */
export async function earlierCommand(
  services: Pick<Services, "database" | "dispatch">,
  principal: Requester,
  input: AgentExecuteInput,
): Promise<CommandRow | undefined> {
  const { db } = services.database;
  const owner = idempotencyOwner(principal);
  const ofKey = sql`from command_keys where organization_id = ${input.organizationId} and principal = ${owner}
    and key = ${input.idempotencyKey ?? ""}`;
  await sql`delete ${ofKey} and created_at < now() - ${lifetimes.idempotencyKey}`.execute(db);
  const { rows } = await sql<{ id: string }>`select command_id as id ${ofKey}`.execute(db);
  const commandId = rows[0]?.id;
  if (commandId === undefined) return undefined;
  const row = await services.dispatch.read(input.organizationId, commandId);
  if (!row) {
    await sql`delete ${ofKey} and command_id = ${commandId}`.execute(db);
    return undefined;
  }
  if (row.idempotency_hash !== inputHashOf(input))
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${input.idempotencyKey}" was already used for another command, ${row.id}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { commandId: row.id } },
    );
  return row;
}

/**
 * Hash of the command's input, without parameters that are not stored: a short text could be guessed from its hash.
 */
export const inputHashOf = ({ deviceId, tool, params }: AgentExecuteInput): string => {
  const forgotten = forgottenParam(tool);
  return hashOf([deviceId, tool, forgotten === undefined ? params : { ...params, [forgotten]: undefined }]);
};
