import { GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Connection, IntegrationKind, IntegrationListInput } from "@grove/schemas";
import type { Kysely } from "kysely";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { type ConnectionRow, connectionNotFound, selectConnections, toConnection } from "./row";

const providersOf: Record<IntegrationKind, string> = {
  codehost: "a code host (GitHub or GitLab)",
  tracker: "an issue tracker (Linear or Jira)",
  messenger: "a messenger (Slack or Discord)",
};

/** Reads a page of an organization's connections, newest first. */
export async function listConnections(
  { database }: Pick<Services, "database">,
  input: IntegrationListInput,
): Promise<Connection[]> {
  const { db } = database;
  const query = selectConnections(db, input.organizationId);
  return (await newestFirst(db, "integration_connections", query, input)).map(toConnection);
}

/** An organization, and one of its connections. Without an id: all of a kind. */
interface Which {
  organizationId: string;
  connectionId?: string;
}

/**
 * The organization's connections of a kind, oldest first; never an empty list.
 * @throws {GroveError} NOT_FOUND for an unknown `connectionId`; PRECONDITION_FAILED `not_connected` when there is none
 */
export async function findConnections(
  db: Kysely<Database>,
  kind: IntegrationKind,
  { organizationId, connectionId }: Which,
): Promise<[ConnectionRow, ...ConnectionRow[]]> {
  let query = db
    .selectFrom("integration_connections")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("kind", "=", kind)
    .orderBy("created_at")
    .orderBy("id");
  if (connectionId !== undefined) query = query.where("id", "=", connectionId);
  const [row, ...others] = await query.execute();
  if (row) return [row, ...others];
  if (connectionId !== undefined) throw connectionNotFound(connectionId, kind);
  throw new GroveError(
    "PRECONDITION_FAILED",
    `This organization is not connected to ${providersOf[kind]}. An admin can connect it under Integrations.`,
    { reason: "not_connected" },
  );
}

/**
 * Returns the one connection that a call refers to.
 * @throws {GroveError} as {@link findConnections}; PRECONDITION_FAILED `several_connections` when `connectionId` is
 * needed to choose one
 */
export async function findConnection(
  db: Kysely<Database>,
  kind: IntegrationKind,
  which: Which,
): Promise<ConnectionRow> {
  const [row, ...others] = await findConnections(db, kind, which);
  if (others.length === 0) return row;
  const candidates = [row, ...others].map((one) => `${one.id} (${one.provider}, ${one.account_name})`);
  throw new GroveError(
    "PRECONDITION_FAILED",
    `There are several ${kind} connections. Choose one by connectionId: ${candidates.join(", ")}.`,
    { reason: "several_connections" },
  );
}
