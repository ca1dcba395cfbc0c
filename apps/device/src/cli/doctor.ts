import { DEFAULT_API_URL, type DoctorFinding, finding, isHealthy, messageOf } from "@grove/schemas";
import type { Command } from "commander";
import { createDeviceApi } from "../cloud/deviceApi";
import { examineMachine } from "../doctor/machine";
import { examineApi } from "../doctor/network";
import { type Env, readEnv } from "../env";
import { createGit } from "../git/run";
import { homeAt } from "../home/home";
import { readCredentials } from "../home/registration";
import { answer, example } from "./usage";

/** `grove-device doctor` */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check everything that commands need on this machine and its connection to the API, and suggest fixes.",
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
    findings.push(finding.fail("registration", messageOf(error), "Run `grove-device register`."));
    findings.push(...(await examineApi(env.apiUrl ?? DEFAULT_API_URL, undefined)));
  }
  const healthy = isHealthy(findings);
  answer({ healthy, findings }, findings.map(inWords).join("\n"), json);
  if (!healthy) process.exitCode = 1;
}

const inWords = ({ state, check, message, todo }: DoctorFinding): string =>
  `${state.padEnd(4)}  ${check.padEnd(12)}  ${message}${todo === undefined ? "" : `\n${" ".repeat(20)}→ ${todo}`}`;
