import { writeSync } from "node:fs";
import { type DoctorFinding, isHealthy } from "@grove/schemas";
import { examine } from "../doctor/doctor";
import { createLog } from "../lib/log";

/** `grove-api doctor [--json]`: prints what it finds. Exits with 1 when a check fails; warnings do not count. */
export async function doctor(args: string[]): Promise<void> {
  const json = args[0] === "--json";
  if (args.length > (json ? 1 : 0)) throw new Error("Usage: grove-api doctor [--json]");
  const findings = await examine(undefined, createLog("silent"));
  const healthy = isHealthy(findings);
  const text = json ? JSON.stringify({ healthy, findings }) : findings.map(inWords).join("\n");
  writeSync(1, `${text}\n`);
  if (!healthy) process.exitCode = 1;
}

const inWords = ({ state, check, message, todo }: DoctorFinding): string =>
  `${state.padEnd(4)}  ${check.padEnd(13)}  ${message}${todo === undefined ? "" : `\n${" ".repeat(21)}→ ${todo}`}`;
