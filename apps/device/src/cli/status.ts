import type { Command } from "commander";
import { readJournal } from "../commands/journalFile";
import { type Env, readEnv } from "../env";
import { homeAt } from "../home/home";
import { runningAgent } from "../home/homeLock";
import { readRegistration } from "../home/registration";
import { readAgentStatus } from "../statusFile";
import { answer, example, exitCodes } from "./usage";

/** `grove-device status` */
export function addStatusCommand(program: Command): void {
  program
    .command("status")
    .description("Show whether this machine is registered, running and connected.")
    .option("--json", "as one line of JSON")
    .addHelpText(
      "after",
      `${example("grove-device status --json")}\nExits with ${exitCodes.notConnected} when not connected.\n`,
    )
    .action(async (options) => {
      if (!(await status(readEnv(), options))) process.exitCode = exitCodes.notConnected;
    });
}

/** @returns whether the device agent runs and is connected */
async function status(env: Env, { json }: { json?: boolean }): Promise<boolean> {
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
    journal:
      journal.state === "good" ? { id: journal.journalId, open: journal.knowledge.entries.size } : null,
  };
  answer(facts, inWords(facts), json);
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
  ].join("\n");
