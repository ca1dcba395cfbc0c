import { rm } from "node:fs/promises";
import * as z from "zod";
import { type Home, readIfThere, writeFileAtomic } from "./home/home";

const agentStatus = z.object({
  pid: z.number(),
  connected: z.boolean(),
  /** Since when `connected` has had its value. */
  since: z.iso.datetime(),
});
export type AgentStatus = z.infer<typeof agentStatus>;

export const writeAgentStatus = (home: Home, status: AgentStatus): Promise<void> =>
  writeFileAtomic(home.statusFile, `${JSON.stringify(status)}\n`);

export const removeAgentStatus = (home: Home): Promise<void> => rm(home.statusFile, { force: true });

/** The last status that the agent with this pid has written. */
export async function readAgentStatus(home: Home, pid: number): Promise<AgentStatus | undefined> {
  const status = agentStatus.safeParse(JSON.parse((await readIfThere(home.statusFile)) ?? "null"));
  return status.success && status.data.pid === pid ? status.data : undefined;
}
