import { GroveError, type UserPrincipal } from "@grove/auth";
import { type Database, newId, notify, type ReviewCommentTable } from "@grove/db";
import { MAX_ROUND_COMMENTS, type ReviewRound, type ReviewRoundContent } from "@grove/schemas";
import { type Selectable, sql, type Transaction } from "kysely";
import { readControlledSession } from "../agentSessions/control";
import { continueWork } from "../changes/finish";
import type { ChangeKey } from "../changes/row";
import { untilSettled } from "../dispatch/end/settledWait";
import { readCommand } from "../dispatch/readCommand";
import { enqueueCommand } from "../dispatch/submit/enqueue";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { alreadySent } from "./alreadySent";
import { lockChange } from "./comments";
import { nextRoundNumber } from "./nextRoundNumber";
import { refreshRounds } from "./refreshRounds";
import { NO_ANSWER, readReviewedChange, toReviewRound } from "./row";

/** How long a call waits until the agent has the round. */
const DELIVERY_MS = 20_000;
/** How long a round waits for a device that is offline. */
const EXPIRES_AT = sql<string>`now() + interval '10 minutes'`;

interface Send extends ChangeKey {
  ids?: string[] | undefined;
  sessionId: string;
  again: boolean;
}

type Comment = Selectable<ReviewCommentTable>;

/**
 * Sends comments to an agent as one round. The round, its comments and its command are written in one transaction.
 * Waits up to 20 seconds for the delivery, which the returned round shows.
 * @throws {GroveError} what {@link readReviewedChange} and `readControlledSession` throw; BAD_REQUEST for a session of
 * another workspace; CONFLICT `already_sent`; PRECONDITION_FAILED `session_ended`, `nothing_to_send`
 */
export async function sendRound(
  services: Services,
  principal: UserPrincipal,
  { organizationId, changeId, ids, sessionId, again }: Send,
  caller: AbortSignal | undefined,
): Promise<ReviewRound> {
  const { db } = services.database;
  const key = { organizationId, changeId };
  const { branch, workspaceId } = await readReviewedChange(db, principal, key);
  const session = await readControlledSession(db, principal, { organizationId, id: sessionId });
  if (session.workspace_id === null || session.workspace_id !== workspaceId)
    throw new GroveError(
      "BAD_REQUEST",
      `The agent session ${sessionId} is not in the workspace of the change.`,
    );
  if (session.status !== "running")
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The agent session ${sessionId} has ended. Start another one.`,
      {
        reason: "session_ended",
      },
    );
  await refreshRounds(db, key);
  const [id, commandId] = [newId(), newId()];
  await db.transaction().execute(async (trx) => {
    await lockChange(trx, key);
    const comments = await chooseComments(trx, principal, { ...key, ids, again });
    await continueWork(trx, key);
    const round = { id, commandId, sessionId, comments };
    const number = await insertRound(trx, principal, { ...key, ...round });
    const content: ReviewRoundContent = {
      id,
      number,
      change: branch,
      author: principal.user.name,
      comments: comments.map((comment) => ({ id: comment.id, anchor: comment.anchor, body: comment.body })),
    };
    await enqueueCommand(trx, principal, {
      id: commandId,
      organizationId,
      deviceId: session.device_id,
      tool: "send_review_round",
      params: { sessionId, round: content },
      expiresAt: EXPIRES_AT,
    });
    // Watchers see the round while the caller waits for its delivery.
    await notify(trx, "attention", organizationId);
  });
  const command = await readCommand(services, organizationId, commandId);
  await untilSettled(services, command, DELIVERY_MS, caller);
  await refreshRounds(db, key);
  const row = await db
    .selectFrom("review_rounds")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return toReviewRound(row);
}

/** The named comments, or the caller's drafts, oldest first. The change is locked. */
async function chooseComments(
  trx: Transaction<Database>,
  principal: UserPrincipal,
  { organizationId, changeId, ids, again }: Omit<Send, "sessionId">,
): Promise<Comment[]> {
  const author = principal.user.id;
  const isUndelivered = sql<boolean>`exists (
    select from review_rounds as round
    where round.organization_id = review_comments.organization_id and round.id = review_comments.round_id
      and round.status in ('failed', 'unknown'))`;
  let query = trx
    .selectFrom("review_comments")
    .selectAll()
    .select(isUndelivered.as("is_undelivered"))
    .where("organization_id", "=", organizationId)
    .where("change_id", "=", changeId);
  if (ids) query = query.where("id", "=", sql<string>`any(${ids}::uuid[])`);
  else query = query.where("author_id", "=", author).where("state", "<>", "resolved");
  const found = (await query.orderBy("created_at").orderBy("id").execute()).filter(
    ({ state, author_id }) => state !== "draft" || author_id === author,
  );
  const isSendable = ({ state, is_undelivered }: (typeof found)[number]) =>
    state === "draft" || (state === "sent" && again && is_undelivered);
  const missing = ids?.find((id) => !found.some((comment) => comment.id === id));
  if (missing !== undefined) throw notFound("comment", missing);
  const sent = ids && found.find((comment) => !isSendable(comment));
  if (sent) throw await alreadySent(trx, sent);
  const chosen = found.filter(isSendable).slice(0, MAX_ROUND_COMMENTS);
  if (chosen.length > 0) return chosen;
  throw new GroveError("PRECONDITION_FAILED", "You have no comments to send. Write one first.", {
    reason: "nothing_to_send",
  });
}

/** @returns the round's number */
async function insertRound(
  trx: Transaction<Database>,
  principal: UserPrincipal,
  {
    organizationId,
    changeId,
    id,
    commandId,
    sessionId,
    comments,
  }: ChangeKey & { id: string; commandId: string; sessionId: string; comments: Comment[] },
): Promise<number> {
  const { number } = await trx
    .insertInto("review_rounds")
    .values({
      id,
      organization_id: organizationId,
      change_id: changeId,
      number: nextRoundNumber({ organizationId, changeId }),
      sent_by: principal.user.id,
      session_id: sessionId,
      command_id: commandId,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("review_comments")
    .set({ state: "sent", round_id: id, ...NO_ANSWER, updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("id", "=", sql<string>`any(${comments.map((comment) => comment.id)}::uuid[])`)
    .execute();
  return number;
}
