import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { PullStatus } from "@grove/schemas";
import { callProvider } from "../../integrations/call";
import type { Services } from "../../services";
import type { ChangeKey } from "../row";
import { pullToActOn } from "./approve";
import { forgetAnswer, toStatus } from "./readPull";
import { storeCheckedPull } from "./store";

/**
 * Marks the pull request of a change as ready for review. Does nothing if it is not a draft.
 * @throws {GroveError} what {@link pullToActOn} and `callProvider` throw
 */
export async function markReady(
  services: Services,
  principal: UserPrincipal,
  { organizationId, changeId }: ChangeKey,
): Promise<PullStatus> {
  const { db } = services.database;
  const changeKey = { organizationId, changeId };
  const { target, found } = await pullToActOn(services, principal, changeKey);
  if (found.pull.state !== "draft") return toStatus(db, changeKey, found);
  const { connection, repo } = target;
  const { number } = found.pull;
  const checked = await callProvider(services, "codehost", connection, async (port) => {
    await port.markReady(repo, number);
    return port.pullStatus(repo, number);
  });
  forgetAnswer(services, changeKey);
  await db.transaction().execute((trx) =>
    recordAudit(trx, principal, {
      organizationId,
      action: "workspace.change.markReady",
      target: { type: "change", id: changeId },
      metadata: { number },
    }),
  );
  await storeCheckedPull(services, target, checked);
  return toStatus(db, changeKey, checked);
}
