import { CommandFailure } from "../errors";
import type { Requester } from "../tool";

/**
 * @param what what only the owner may do, as in "see its directories"
 * @throws {CommandFailure} `owner_only`, `cloud_unreachable`
 */
export async function requireOwner(requester: Requester, what: string): Promise<void> {
  if (await requester.isOwner()) return;
  throw new CommandFailure("owner_only", `Only the owner of this device can ${what}.`);
}
