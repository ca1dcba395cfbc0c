import { realpath } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { type Env, readEnv } from "../env";
import { readConfig, setCodexConsent } from "../home/config";
import { homeAt, openHome } from "../home/home";
import { codexConsent, codexHooks } from "../hooks/codex";
import { geminiSettings } from "../hooks/gemini";
import { type Reporting, reportingOf } from "../hooks/reporting";
import { installedAgents } from "../sessions/agents";
import { versionOf } from "../sessions/agentVersion";
import { answer, example, print, table } from "./usage";

/** `grove-device agents` */
export function addAgentsCommand(program: Command): void {
  const agents = program
    .command("agents")
    .description(
      "List the coding agents that are installed on this machine, and how they report what they do.",
    )
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device agents", "grove-device agents enable codex"))
    .action((options) => list(readEnv(), options));
  agents
    .command("enable")
    .description("Let an agent report by hooks that need the consent of this machine's owner.")
    .argument("<agent>", "codex", onlyName("codex"))
    .option("--yes", "without the question")
    .addHelpText("after", example("grove-device agents enable codex"))
    .action((_, options) => enableCodex(readEnv(), options));
  agents
    .command("disable")
    .description("Withdraw the consent: sessions that start from now on get no hooks.")
    .argument("<agent>", "codex", onlyName("codex"))
    .addHelpText("after", example("grove-device agents disable codex"))
    .action(() => disableCodex(readEnv()));
  agents
    .command("print")
    .description("Print the hooks for an agent that reads them only from the user's settings.")
    .argument("<agent>", "gemini", onlyName("gemini"))
    .addHelpText("after", example("grove-device agents print gemini"))
    .action(() => printGemini(readEnv()));
}

const onlyName = (only: string) => (name: string) => {
  if (name !== only)
    throw new Error(`This takes only ${only}. \`grove-device agents\` lists what each agent reports.`);
  return name;
};

const reportLabels: Record<Reporting["by"], string> = {
  hooks: "by hooks",
  plugin: "by a plugin",
  record: "ends of turns, from its session log",
  screen: "nothing; a guess from its terminal",
};

async function list(env: Env, { json }: { json?: boolean }): Promise<void> {
  const { groveHome, forPrograms } = env;
  const home = homeAt(await realpath(groveHome).catch(() => groveHome));
  const config = await readConfig(home);
  const agents = await Promise.all(
    (await installedAgents(config, forPrograms)).map(async (agent) => ({
      name: agent.name,
      version: await versionOf(agent, forPrograms),
      reports: reportingOf(agent.definition, config, { home, programEnv: forPrograms }),
    })),
  );
  const rows = agents.map(({ name, version, reports }) => [
    ...[name, version ?? "unknown", reportLabels[reports.by], reports.missing ?? ""],
  ]);
  answer(
    agents,
    rows.length > 0
      ? table(["AGENT", "VERSION", "REPORTS", "MISSING"], rows)
      : "No coding agents found on the PATH.",
    json,
  );
}

const MEANING = `Codex asks a person whether to trust hooks before it runs them. With your consent, Grove answers that question for
these hooks, in the sessions that Grove starts on this machine, and for no others. They run a program of Grove that
reports to the device agent when Codex starts, works, asks for permission and is done. A permission request then
waits up to 10 minutes for an answer from the console; a key in the terminal shows Codex's own prompt. No file of
Codex is changed. If the hooks change in a newer Grove, Codex starts without them until you consent again.`;

async function enableCodex(env: Env, { yes }: { yes?: boolean }): Promise<void> {
  const home = await openHome(env.groveHome);
  print(`Grove would start Codex with these settings:\n\n${codexHooks(home).join("\n")}\n\n${MEANING}`);
  if (!yes && !(await confirm("\nAdd these hooks to Codex? [y/N] "))) {
    print("Nothing was changed.");
    return;
  }
  await setCodexConsent(home, codexConsent(home));
  print(
    "Codex reports by hooks in sessions that start from now on. `grove-device agents disable codex` ends that.",
  );
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("Could not ask for consent: stdin is not a terminal. Add --yes to consent.");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

async function disableCodex(env: Env): Promise<void> {
  await setCodexConsent(await openHome(env.groveHome), false);
  print("Codex starts without hooks from now on. Running sessions keep theirs.");
}

async function printGemini(env: Env): Promise<void> {
  process.stdout.write(`${JSON.stringify(geminiSettings(await openHome(env.groveHome)), null, 2)}\n`);
}
