import { CommandFailure } from "../errors";
import type { Requester } from "../tool";

/**
 * @param action the owner-only action, such as "see its directories"
 * @throws {CommandFailure} `owner_only`, `cloud_unreachable`
 */
export async function requireOwner(requester: Requester, action: string): Promise<void> {
  if (await requester.isOwner()) return;
  throw new CommandFailure("owner_only", `Only the owner of this device can ${action}.`);
}
