import type { Command } from "commander";
import { type Env, readEnv } from "../env";
import { readConfig } from "../home/config";
import { homeAt } from "../home/home";
import { findAgents } from "../sessions/agentVersion";
import { answer, example, table } from "./usage";

/** `grove-device agents` */
export function addAgentsCommand(program: Command): void {
  program
    .command("agents")
    .description("List the coding agents that are installed on this machine.")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device agents"))
    .action((options) => list(readEnv(), options));
}

async function list(env: Env, { json }: { json?: boolean }): Promise<void> {
  const agents = await findAgents(await readConfig(homeAt(env.groveHome)), env.forPrograms);
  const rows = agents.map(({ name, version }) => [name, version ?? "unknown"]);
  answer(
    agents,
    rows.length > 0 ? table(["AGENT", "VERSION"], rows) : "No coding agents found on the PATH.",
    json,
  );
}
