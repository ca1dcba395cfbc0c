import { GroveError, type UserPrincipal } from "@grove/auth";
import { excerptOfLog } from "@grove/integrations";
import type { CheckLog } from "@grove/schemas";
import { callProvider } from "../../integrations/call";
import { linkOf } from "../../integrations/taskTexts";
import type { Services } from "../../services";
import type { ChangeKey } from "../row";
import { projectSecrets } from "./projectSecrets";
import { findPullTarget, requireChangeUse } from "./pullTarget";
import { readShared } from "./readPull";

/**
 * Reads the end of a check's log from the code host, without the project's secrets. The log is not stored.
 * @throws {GroveError} what {@link requireChangeUse}, {@link findPullTarget} and `callProvider` throw;
 * PRECONDITION_FAILED `log_gone`, `log_elsewhere`
 */
export async function checkLogOf(
  services: Services,
  principal: UserPrincipal,
  { organizationId, changeId, checkId }: ChangeKey & { checkId: string },
): Promise<CheckLog> {
  const { db } = services.database;
  const changeKey = { organizationId, changeId };
  await requireChangeUse(db, principal, changeKey);
  const target = await findPullTarget(db, changeKey);
  const { connection, repo } = target;
  const pull = await readShared(services, target);
  const check = pull?.checks.find(({ id }) => id === checkId);
  if (!check)
    throw new GroveError(
      "PRECONDITION_FAILED",
      "The newest commit of the pull request no longer has this check. Read its checks again.",
      { reason: "log_gone" },
    );
  const read = await callProvider(services, "codehost", connection, (port) =>
    port.readCheckLog(repo, checkId),
  );
  const url = check.url === null ? null : linkOf(check.url);
  if (read.outcome !== "read") throw logError(read.outcome, url);
  const secrets = await projectSecrets(services, target);
  return {
    excerpt: excerptOfLog(
      read.log,
      secrets.map(({ value }) => value),
    ),
    url,
  };
}

const logErrorMessages = {
  log_gone: "The code host no longer has the log of this check. Run the check again there.",
  log_elsewhere:
    "The log of this check is in another system, or too long to be read here. Read it at the check's address.",
};

const logError = (reason: keyof typeof logErrorMessages, url: string | null) =>
  new GroveError("PRECONDITION_FAILED", logErrorMessages[reason], { reason, details: { url } });
