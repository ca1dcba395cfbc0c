import type { AgentSession } from "@grove/schemas";

/** Whether a session began while a command ran. The API's database gives both times. */
export const beganDuring = (
  { startedAt }: Pick<AgentSession, "startedAt">,
  command: { startedAt: string | null; finishedAt: string | null },
): boolean =>
  command.startedAt !== null &&
  Date.parse(command.startedAt) <= Date.parse(startedAt) &&
  (command.finishedAt === null || Date.parse(startedAt) <= Date.parse(command.finishedAt));
