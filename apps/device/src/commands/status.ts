import { readAgentStatus } from "../agentStatus";
import type { Env } from "../env";
import { homeAt } from "../home";
import { readJournal } from "../journalFile";
import { runningAgent } from "../lock";
import { readRegistration } from "../registration";

/**
 * Prints how this machine's agent is.
 * @returns whether it runs and is connected
 */
export async function status(env: Env, { json }: { json?: boolean }): Promise<boolean> {
  const home = homeAt(env.groveHome);
  const registered = await readRegistration(home);
  const pid = await runningAgent(home);
  const agent = pid === undefined ? undefined : await readAgentStatus(home, pid);
  const journal = await readJournal(home.journalFile);
  const facts = {
    home: home.root,
    registered: registered !== undefined,
    apiUrl: registered?.apiUrl ?? null,
    deviceId: registered?.deviceId ?? null,
    organizationId: registered?.organizationId ?? null,
    running: pid !== undefined,
    pid: pid ?? null,
    connected: agent?.connected ?? false,
    since: agent?.since ?? null,
    journal: journal.state === "good" ? { id: journal.journalId, open: journal.entries.size } : null,
  };
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : inWords(facts));
  return facts.connected;
}

interface Facts {
  home: string;
  apiUrl: string | null;
  deviceId: string | null;
  pid: number | null;
  connected: boolean;
  since: string | null;
  journal: { id: string; open: number } | null;
}

const inWords = ({ home, apiUrl, deviceId, pid, connected, since, journal }: Facts): string =>
  [
    `home        ${home}`,
    `registered  ${deviceId ? `device ${deviceId} at ${apiUrl}` : "no (run `grove-device register`)"}`,
    `agent       ${pid ? `running, pid ${pid}` : "not running (run `grove-device start`)"}`,
    `connected   ${connected ? `since ${since}` : "no"}`,
    `journal     ${journal ? `${journal.id}, ${journal.open} open` : "none yet"}`,
    "",
  ].join("\n");
