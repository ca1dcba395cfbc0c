import { hashSecret } from "@grove/auth";
import { agentHeartbeatInput, type HeartbeatAnswer } from "@grove/schemas";
import { isAnsweredFromMemory } from "../dispatch/stream/heartbeat";
import { presentedSecret } from "../lib/credential";
import type { Services } from "../services";
import type { PlainCalls, TrpcRequest } from "./calls";

const PROCEDURE = "agent.heartbeat";
const nothingToStop: HeartbeatAnswer = { canceled: [], lost: [] };
const answer = JSON.stringify({ result: { data: nothingToStop } });

/**
 * Returns the body that answers a heartbeat from memory. Undefined for any other request, which the procedure answers.
 * Nearly all requests of idle devices are such heartbeats, and tRPC takes several times as long as all other work on
 * one.
 */
export function answerHeartbeat(
  services: Services,
  request: TrpcRequest,
  { calls, isBatch }: PlainCalls,
): string | undefined {
  const [call, another] = calls;
  if (call?.path !== PROCEDURE || another) return undefined;
  const began = performance.now();
  const input = agentHeartbeatInput.safeParse(call.input);
  const secret = presentedSecret(request)?.secret;
  if (!input.success || secret === undefined) return undefined;
  if (!isAnsweredFromMemory(services, hashSecret(secret), input.data)) return undefined;
  services.metrics?.answered(PROCEDURE, "OK", (performance.now() - began) / 1_000);
  return isBatch ? `[${answer}]` : answer;
}
