import type { FastifyBaseLogger } from "fastify";
import { type Env, readEnv } from "../env";
import { messageOf } from "../lib/errorDetails";
import { tryMail } from "../lib/mail";
import { hasKey, openVault } from "../secrets/credentialsKey";
import { examineAddress } from "./address";
import { examineDatabase } from "./database";
import { type Finding, fail, ok } from "./finding";
import { examineDirectory, examineFiles, examineNode } from "./machine";

/** Replaces what a test cannot wait for or change. */
export interface Overrides {
  silentMs?: number;
  leastFreeBytes?: number;
  nodeVersion?: string;
}

/** Checks everything that this server needs, as its environment describes it. Changes nothing. */
export async function examine(
  source: NodeJS.ProcessEnv | undefined,
  log: FastifyBaseLogger,
  { silentMs, leastFreeBytes, nodeVersion = process.version }: Overrides = {},
): Promise<Finding[]> {
  const machine = [examineNode(nodeVersion), examineFiles()];
  let env: Env;
  try {
    env = readEnv(source);
  } catch (error) {
    const wrong = messageOf(error).split("\n");
    return [
      ...wrong.map((line) => fail("variables", line, "Set it right, or remove it. See the README.")),
      ...machine,
    ];
  }
  const vault = hasKey(env) ? openVault(env) : undefined;
  const [directory, database, address, mail] = await Promise.all([
    env.databaseUrl ? [] : examineDirectory(env, { ...(leastFreeBytes !== undefined && { leastFreeBytes }) }),
    examineDatabase(env, log),
    examineAddress(env.publicUrl, vault, { ...(silentMs !== undefined && { silentMs }) }),
    examineMail(env),
  ]);
  return [ok("variables", "all are valid"), ...machine, ...directory, ...database, ...address, mail];
}

async function examineMail({ smtp }: Env): Promise<Finding> {
  if (!smtp) return ok("mail", "SMTP_URL is not set: links are logged instead of mailed");
  try {
    await tryMail(smtp);
    return ok("mail", "the mail server accepts this sign-in");
  } catch (error) {
    return fail(
      "mail",
      `the mail server does not accept mails: ${messageOf(error)}`,
      "Are the name, the password, the address and the port in SMTP_URL right, and does a firewall let this machine through?",
    );
  }
}
