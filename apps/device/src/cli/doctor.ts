import type { Command } from "commander";
import { createDeviceApi } from "../cloud/deviceApi";
import type { Finding } from "../doctor/finding";
import { fail, isHealthy } from "../doctor/finding";
import { examineMachine } from "../doctor/machine";
import { examineApi } from "../doctor/network";
import { type Env, readEnv } from "../env";
import { createGit } from "../git/run";
import { homeAt } from "../home/home";
import { DEFAULT_API_URL, readCredentials } from "../home/registration";
import { answer, example } from "./usage";

/** `grove-device doctor` */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check everything that commands need on this machine and between it and the API, and suggest what to do.",
    )
    .option("--json", "as one line of JSON")
    .addHelpText(
      "after",
      `${example("grove-device doctor")}\nExits with 1 when a check fails; warnings do not count.\n`,
    )
    .action((options) => run(readEnv(), options));
}

async function run(env: Env, { json }: { json?: boolean }): Promise<void> {
  const home = homeAt(env.groveHome);
  const findings = await examineMachine(home, createGit(env.forPrograms), env.forPrograms);
  try {
    const { apiUrl, deviceKey, proofKey } = await readCredentials(home, env);
    findings.push(...(await examineApi(apiUrl, createDeviceApi(apiUrl, deviceKey, proofKey))));
  } catch (error) {
    findings.push(fail("registration", (error as Error).message, "Run `grove-device register`."));
    findings.push(...(await examineApi(env.apiUrl ?? DEFAULT_API_URL, undefined)));
  }
  const healthy = isHealthy(findings);
  answer({ healthy, findings }, findings.map(inWords).join("\n"), json);
  if (!healthy) process.exitCode = 1;
}

const inWords = ({ state, check, message, todo }: Finding): string =>
  `${state.padEnd(4)}  ${check.padEnd(12)}  ${message}${todo === undefined ? "" : `\n${" ".repeat(20)}→ ${todo}`}`;
