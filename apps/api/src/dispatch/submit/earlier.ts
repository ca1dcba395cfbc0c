import { GroveError, type UserPrincipal } from "@grove/auth";
import { type AgentExecuteInput, forgottenParam } from "@grove/schemas";
import { sql } from "kysely";
import { hashOf, idempotencyOwner } from "../../lib/idempotency";
import { lifetimes } from "../../lib/lifetimes";
import type { Services } from "../../services";
import type { CommandRow } from "../command";

/**
 * The command that an idempotency key stands for. After 24 hours there is none, and the key is free again.
 * @throws {GroveError} CONFLICT `idempotency_key_reused` if the key stands for something else
 */
export async function earlierCommand(
  services: Services,
  principal: UserPrincipal,
  input: AgentExecuteInput,
): Promise<CommandRow | undefined> {
  const { db } = services.database;
  const owner = idempotencyOwner(principal);
  await db
    .updateTable("device_commands")
    .set({ idempotency_key: null })
    .where("organization_id", "=", input.organizationId)
    .where("principal", "=", owner)
    .where("idempotency_key", "=", input.idempotencyKey ?? "")
    .where(sql<boolean>`created_at < now() - ${lifetimes.idempotencyKey}`)
    .execute();
  const row = await db
    .selectFrom("device_commands")
    .selectAll()
    .where("organization_id", "=", input.organizationId)
    .where("principal", "=", owner)
    .where("idempotency_key", "=", input.idempotencyKey ?? "")
    .executeTakeFirst();
  if (row && row.idempotency_hash !== meaningOf(input))
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${input.idempotencyKey}" stands for another command, ${row.id}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { commandId: row.id } },
    );
  return row;
}

/**
 * The hash of everything that a command's idempotency key stands for, but for what the command forgets: a short text
 * could be guessed from its hash, which is kept.
 */
export const meaningOf = ({ deviceId, tool, params }: AgentExecuteInput): string => {
  const forgotten = forgottenParam(tool);
  return hashOf([deviceId, tool, forgotten === undefined ? params : { ...params, [forgotten]: undefined }]);
};
