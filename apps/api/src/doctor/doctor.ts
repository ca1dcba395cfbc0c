import { type DoctorFinding, finding, messageOf } from "@grove/schemas";
import type { FastifyBaseLogger } from "fastify";
import { type Env, readEnv } from "../env";
import { tryMail } from "../lib/mailer";
import { hasKey, openVault } from "../secrets/credentialsKey";
import { examineAddress } from "./address";
import { examineDatabase } from "./database";
import { examineDirectory, examineFiles, examineNode } from "./machine";

/** Replaces what a test cannot wait for or change. */
export interface Overrides {
  silentMs?: number;
  minFreeBytes?: number;
  nodeVersion?: string;
}

/** Checks everything that this server needs, as its environment describes it. Changes nothing. */
export async function examine(
  source: NodeJS.ProcessEnv | undefined,
  log: FastifyBaseLogger,
  { silentMs, minFreeBytes, nodeVersion = process.version }: Overrides = {},
): Promise<DoctorFinding[]> {
  const machine = [examineNode(nodeVersion), examineFiles()];
  let env: Env;
  try {
    env = readEnv(source);
  } catch (error) {
    const wrong = messageOf(error).split("\n");
    return [
      ...wrong.map((line) => finding.fail("variables", line, "Correct it, or remove it. See the README.")),
      ...machine,
    ];
  }
  const vault = hasKey(env) ? openVault(env) : undefined;
  const [directory, database, address, mail] = await Promise.all([
    env.databaseUrl ? [] : examineDirectory(env, { ...(minFreeBytes !== undefined && { minFreeBytes }) }),
    examineDatabase(env, log),
    examineAddress(env.publicUrl, vault, { ...(silentMs !== undefined && { silentMs }) }),
    examineMail(env),
  ]);
  return [finding.ok("variables", "all are valid"), ...machine, ...directory, ...database, ...address, mail];
}

async function examineMail({ smtp }: Env): Promise<DoctorFinding> {
  if (!smtp) return finding.ok("mail", "SMTP_URL is not set: links are logged instead of emailed");
  try {
    await tryMail(smtp);
    return finding.ok("mail", "the mail server accepts this sign-in");
  } catch (error) {
    return finding.fail(
      "mail",
      `the mail server does not accept emails: ${messageOf(error)}`,
      "Check the name, the password, the address and the port in SMTP_URL, and that firewalls let this machine through.",
    );
  }
}
