import { GroveError, recordAudit, requireDeviceUse, type UserPrincipal } from "@grove/auth";
import { type Database, newId, notify } from "@grove/db";
import type { AgentAnswer, AgentRequest } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { requireOutput } from "../agentSessions/outputAccess";
import { readSessionOnDevice } from "../agentSessions/row";
import { untilSettled } from "../dispatch/end/settledWait";
import { readCommand } from "../dispatch/readCommand";
import { enqueueCommand } from "../dispatch/submit/enqueue";
import { hashOf, idempotencyOwner } from "../lib/idempotency";
import type { Services } from "../services";
import { requestUrl } from "./requestUrl";
import { type RequestRow, readRequest } from "./row";
import { toAgentRequest } from "./toAgentRequest";

/** How long a call waits until the agent has the answer. */
const DELIVERY_MS = 2_000;

interface Answer {
  organizationId: string;
  id: string;
  answer: AgentAnswer;
  idempotencyKey?: string | undefined;
}

/**
 * Answers an agent's request. One conditional update decides which caller answers; the command that delivers the answer
 * is made in the same transaction. Waits up to two seconds for the delivery, which the returned request shows.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`, `role_required`, `session_required`; BAD_REQUEST
 * `answer_mismatch`; CONFLICT `already_answered`, with the name of the user who answered; PRECONDITION_FAILED
 * `request_expired`, `request_withdrawn`, `not_answerable`, `scope_not_offered`
 */
export async function answerRequest(
  services: Services,
  principal: UserPrincipal,
  { organizationId, id, answer, idempotencyKey }: Answer,
  caller: AbortSignal | undefined,
): Promise<AgentRequest> {
  const { db } = services.database;
  const key = { organizationId, id };
  const request = await readRequest(db, key);
  await requireMayAnswer(services, principal, request);
  requireFits(request, answer);
  const commandId = newId();
  const answerKey =
    idempotencyKey === undefined ? null : hashOf([idempotencyOwner(principal), idempotencyKey, answer]);
  const won = await db.transaction().execute(async (trx) => {
    const taken = await claimRequest(trx, principal, { ...key, answer, answerKey, commandId });
    if (taken)
      await recordAudit(trx, principal, {
        organizationId,
        action: "agent.answerRequest",
        target: { type: "agent_request", id },
        metadata: { decision: answer.decision, sessionId: request.session_id },
      });
    return taken;
  });
  const current = await readRequest(db, key);
  if (!won && !(answerKey !== null && current.answer_key === answerKey))
    throw await refusal(services, current);
  if (current.command_id === null) return toAgentRequest(current, principal);
  const command = await readCommand(services, organizationId, current.command_id);
  await untilSettled(services, command, DELIVERY_MS, caller);
  return toAgentRequest(await readRequest(db, key), principal);
}

/** People who may type into the session. A program may answer only questions of sessions that it started itself. */
async function requireMayAnswer(
  services: Services,
  principal: UserPrincipal,
  { organization_id: organizationId, id, session_id, kind }: RequestRow,
): Promise<void> {
  const session = await readSessionOnDevice(services.database.db, { organizationId, id: session_id });
  requireDeviceUse(principal, { ownerId: session.device_owner_id, shared: session.device_shared });
  requireOutput(principal, session);
  if (principal.kind === "session") return;
  if (kind === "question" && session.started_with === idempotencyOwner(principal)) return;
  const url = await requestUrl(services, { organizationId, id });
  throw new GroveError(
    "FORBIDDEN",
    kind === "question"
      ? "An API key answers only questions of sessions that it started."
      : "Only a person who is signed in grants or denies permission.",
    { reason: "session_required", ...(url !== undefined && { details: { url } }) },
  );
}

/** @throws {GroveError} if the answer does not fit the question */
function requireFits({ kind, questions, scopes }: RequestRow, answer: AgentAnswer): void {
  const isAnswer = answer.decision === "answer";
  if (kind !== "question" && isAnswer)
    throw mismatch("This request is allowed or denied; it has no questions.");
  if (kind === "question" && answer.decision === "allow")
    throw mismatch("This request asks questions. Give an answer to each.");
  if (isAnswer && questions !== null && answer.answers.length !== questions.length)
    throw mismatch(`This request asks ${questions.length} questions. Give an answer to each, in order.`);
  if (answer.decision === "allow" && !scopes.includes(answer.scope))
    throw new GroveError(
      "PRECONDITION_FAILED",
      "This request cannot be allowed for the whole session. Allow it once.",
      { reason: "scope_not_offered" },
    );
}

const mismatch = (message: string) => new GroveError("BAD_REQUEST", message, { reason: "answer_mismatch" });

/** @returns whether this call is the one that answers */
async function claimRequest(
  trx: Transaction<Database>,
  principal: UserPrincipal,
  {
    organizationId,
    id,
    answer,
    answerKey,
    commandId,
  }: Omit<Answer, "idempotencyKey"> & {
    answerKey: string | null;
    commandId: string;
  },
): Promise<boolean> {
  const scope = answer.decision === "allow" ? answer.scope : null;
  const { rows } = await sql<Pick<RequestRow, "session_id" | "device_id"> & { expires_at: string }>`
    update agent_requests
    set status = 'answered', decision = ${answer.decision}, scope = ${scope}, answered_by = ${principal.user.id},
      settled_at = now(), command_id = ${commandId}, answer_key = ${answerKey}
    where organization_id = ${organizationId} and id = ${id} and status = 'open' and is_answerable
      and expires_at > now()
      and exists (select from agent_sessions as session where session.organization_id = agent_requests.organization_id
        and session.id = session_id and session.status = 'running')
    returning session_id, device_id, expires_at::text`.execute(trx);
  const [taken] = rows;
  if (!taken) return false;
  await enqueueCommand(trx, principal, {
    id: commandId,
    organizationId,
    deviceId: taken.device_id,
    tool: "answer_agent_request",
    params: { sessionId: taken.session_id, requestId: id, answer },
    expiresAt: taken.expires_at,
  });
  await notify(trx, "attention", organizationId);
  return true;
}

/** Why a request cannot be answered. */
async function refusal(services: Pick<Services, "database">, row: RequestRow): Promise<GroveError> {
  const refuse = (message: string, reason: "request_expired" | "request_withdrawn" | "not_answerable") =>
    new GroveError("PRECONDITION_FAILED", message, { reason });
  switch (row.status) {
    case "answered":
    case "answered_there":
      return alreadyAnswered(services, row);
    case "expired":
      return refuse("This request has expired. Answer in the agent's terminal.", "request_expired");
    case "withdrawn":
      return refuse("The agent withdrew this request: its session has ended.", "request_withdrawn");
    case "open":
      if (row.is_answerable)
        return refuse("The request is closed: it has expired, or its session has ended.", "request_expired");
      return refuse("This agent takes the answer only in its terminal. Answer there.", "not_answerable");
  }
}

async function alreadyAnswered(
  { database }: Pick<Services, "database">,
  { answered_by, settled_at, decision, status }: RequestRow,
): Promise<GroveError> {
  const user =
    answered_by === null
      ? undefined
      : await database.db.selectFrom("users").select("name").where("id", "=", answered_by).executeTakeFirst();
  const by = status === "answered_there" ? "in its terminal" : `by ${user?.name ?? "a user who was deleted"}`;
  return new GroveError("CONFLICT", `This request was already answered ${by}.`, {
    reason: "already_answered",
    details: {
      name: user?.name ?? null,
      userId: answered_by,
      at: settled_at,
      decision,
      isInTerminal: status === "answered_there",
    },
  });
}
