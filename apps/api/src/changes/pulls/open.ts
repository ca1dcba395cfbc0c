import { GroveError, recordAudit, type UserPrincipal } from "@grove/auth";
import { type Codehost, type NewPull, ProviderError, type Pull } from "@grove/integrations";
import { type PullStatus, redactKnownSecrets } from "@grove/schemas";
import { callProvider, tryProvider } from "../../integrations/call";
import { toGroveError } from "../../integrations/failures";
import type { Services } from "../../services";
import { changeStatus } from "../actOnDevice";
import { findPullTarget, type PullTarget, requireChangeUse } from "./pullTarget";
import { forgetAnswer, toStatus } from "./read";
import { projectSecrets } from "./secrets";
import { storeCheckedPull, storePull } from "./store";

interface OpenPull {
  organizationId: string;
  changeId: string;
  title: string;
  body: string;
  base?: string | undefined;
  draft: boolean;
}

/**
 * Opens the pull request of a change, once. Returns an existing pull request, even if it was opened outside Grove.
 * @throws {GroveError} what {@link requireChangeUse}, {@link findPullTarget} and `callProvider` throw;
 * PRECONDITION_FAILED `base_is_head`, `not_pushed`, `secret_in_text`, `no_difference`
 */
export async function openPull(
  services: Services,
  principal: UserPrincipal,
  { organizationId, changeId, title, body, base, draft }: OpenPull,
  caller: AbortSignal | undefined,
): Promise<PullStatus> {
  const { db } = services.database;
  const changeKey = { organizationId, changeId };
  await requireChangeUse(db, principal, changeKey);
  const target = await findPullTarget(db, changeKey);
  const pull = { title, body, draft, head: target.branch, base: base ?? target.base };
  if (pull.base === pull.head)
    throw refused(
      "base_is_head",
      `The branch ${pull.head} cannot be merged into itself. Choose another base.`,
    );
  await requireNoSecret(services, target, `${title}\n${body}`);
  await requirePushed(services, principal, target, caller);
  const opened = await openOnce(services, target, pull);
  await storePull(services, target, opened);
  await db.transaction().execute((trx) =>
    recordAudit(trx, principal, {
      organizationId,
      action: "workspace.change.openPull",
      target: { type: "change", id: changeId },
      metadata: { number: opened.number, head: opened.head, base: opened.baseBranch },
    }),
  );
  forgetAnswer(services, changeKey);
  const { connection, repo } = target;
  const checked = await callProvider(services, "codehost", connection, (port) =>
    port.pullStatus(repo, opened.number),
  );
  await storeCheckedPull(services, target, checked);
  return toStatus(db, changeKey, checked);
}

type Refusal = "base_is_head" | "no_difference" | "not_pushed" | "secret_in_text";
const refused = (reason: Refusal, message: string) =>
  new GroveError("PRECONDITION_FAILED", message, { reason });

/** Requires that the checked-out commit is pushed. Without a workspace, only the code host has the branch. */
async function requirePushed(
  services: Services,
  principal: UserPrincipal,
  { organizationId, workspaceId, branch }: PullTarget,
  caller: AbortSignal | undefined,
): Promise<void> {
  if (workspaceId === null) return;
  const { head, remoteHead } = await changeStatus(
    services,
    principal,
    { organizationId, workspaceId },
    caller,
  );
  if (head === null || head !== remoteHead)
    throw refused("not_pushed", `The newest commit of ${branch} is not pushed. Push it first.`);
}

async function requireNoSecret(services: Services, target: PullTarget, text: string): Promise<void> {
  const found = (await projectSecrets(services, target)).find(({ value }) => text.includes(value));
  if (found)
    throw refused("secret_in_text", `The text contains the value of the secret ${found.key}. Remove it.`);
  if (redactKnownSecrets(text) !== text)
    throw refused("secret_in_text", "The text contains a credential, such as an access token. Remove it.");
}

/**
 * Finds the pull request of the branches, or creates it. The code host refuses a second one. After that refusal, or a
 * lost response, the existing pull request is found.
 */
async function openOnce(services: Services, target: PullTarget, pull: NewPull): Promise<Pull> {
  const { connection, repo, changeId } = target;
  const branches = { head: pull.head, base: pull.base };
  const find = (port: Codehost) => port.findPull(repo, branches);
  const existing = await callProvider(services, "codehost", connection, find);
  if (existing) return existing;
  const body = `${pull.body}${pull.body === "" ? "" : "\n\n"}<!-- grove:change=${changeId} -->`;
  try {
    return await tryProvider(services, "codehost", connection, (port) =>
      port.openPull(repo, { ...pull, body }),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const mayExist = ["refused", "unavailable", "bad_answer"].includes(error.failure);
    const found = mayExist ? await callProvider(services, "codehost", connection, find) : undefined;
    if (found) return found;
    throw failureOf(services, target, error);
  }
}

function failureOf({ integrations }: Services, { connection, branch }: PullTarget, error: ProviderError) {
  const detail = error.detail ?? "";
  if (error.failure === "refused" && /no commits between|no changes/i.test(detail))
    return refused(
      "no_difference",
      `${branch} has no commit that the base lacks. Commit and push your work.`,
    );
  if (error.failure === "refused" && /head.{0,20}invalid|source branch.*does not exist/i.test(detail))
    return refused("not_pushed", `The code host has no branch ${branch}. Push it first.`);
  return toGroveError(integrations.provider(connection.provider).title, error);
}
