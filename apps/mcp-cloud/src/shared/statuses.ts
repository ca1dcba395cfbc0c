import { type Client, errorData } from "@grove/client";
import { ToolError } from "@grove/mcp";
import type { Identity } from "../api/apiSession";

/** A status as callers name it: by its key or, in a filter, by its key or type. */
type Naming = "key" | "type";

/**
 * Checks that a status exists.
 * @throws {ToolError} that lists the keys of the existing ones
 */
export async function requireStatus(
  client: Client,
  { organizationId }: Identity,
  signal: AbortSignal,
  given: string,
  namings: readonly Naming[],
): Promise<void> {
  const statuses = await client.task.listStatuses.query({ organizationId }, { signal });
  if (statuses.some((status) => namings.some((naming) => status[naming] === given))) return;
  throw new ToolError(
    "unknown_status",
    `There is no ${namings.map((naming) => ({ key: "status", type: "status type" })[naming]).join(" or ")} ${JSON.stringify(given)}`,
    `The statuses are: ${statuses.map(({ key }) => key).join(", ")}.`,
  );
}

/**
 * Makes a request that sets a status.
 * @throws {ToolError} that lists the keys of the existing statuses, if the request is refused for the status
 */
export async function settingStatus<T>(
  client: Client,
  identity: Identity,
  signal: AbortSignal,
  given: string | undefined,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const data = errorData(error);
    // A name such as "In Progress" is not a valid key.
    const isRefused = data?.reason === "unknown_status" || data?.code === "BAD_REQUEST";
    if (given !== undefined && isRefused) await requireStatus(client, identity, signal, given, ["key"]);
    throw error;
  }
}
