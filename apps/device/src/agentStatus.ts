import { rm } from "node:fs/promises";
import * as z from "zod";
import { type Home, readIfThere, writeFileAtomic } from "./home/home";

const agentStatus = z.object({
  pid: z.number(),
  connected: z.boolean(),
  /** Since when it is connected, or not. */
  since: z.iso.datetime(),
});
export type AgentStatus = z.infer<typeof agentStatus>;

export const writeAgentStatus = (home: Home, status: AgentStatus): Promise<void> =>
  writeFileAtomic(home.statusFile, `${JSON.stringify(status)}\n`);

export const removeAgentStatus = (home: Home): Promise<void> => rm(home.statusFile, { force: true });

/** What the agent with this pid said of itself last. */
export async function readAgentStatus(home: Home, pid: number): Promise<AgentStatus | undefined> {
  const status = agentStatus.safeParse(JSON.parse((await readIfThere(home.statusFile)) ?? "null"));
  return status.success && status.data.pid === pid ? status.data : undefined;
}
