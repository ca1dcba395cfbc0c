import { SESSION_DAYS } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { shell } from "../commandLine";
import { UserError } from "../errors";
import { dataDirAt } from "../local/dataDir";
import { findRunning, provenFetch } from "../local/overview";
import { signIn } from "../local/owner";
import { print, printJson } from "../print";

export interface SignInOptions {
  /** Absolute. */
  dataDir: string;
  json: boolean;
}

/** `grove sign-in`: prints the token of a new session of local mode's owner. */
export async function printSession({ dataDir, json }: SignInOptions): Promise<void> {
  const dir = dataDirAt(dataDir);
  const [local, owner] = await Promise.all([dir.local.read(), dir.owner.read()]);
  if (!local || !owner)
    throw new UserError(
      `There is no local mode in ${dataDir}. Start Grove there first, or name its directory with --data-dir.`,
    );
  if (!(await findRunning(dataDir)))
    throw new UserError(`Grove is not running at ${local.apiUrl}. Start it on ${dataDir} first.`);
  const token = await signIn(local.apiUrl, owner, dir, timeoutSignal(30_000), provenFetch(local));
  if (json) {
    printJson({ apiUrl: local.apiUrl, email: owner.email, token });
    return;
  }
  const example = shell([
    "curl",
    "-H",
    `Authorization: Bearer ${token}`,
    `${local.apiUrl}/api/trpc/user.get`,
  ]);
  print(`
Signed in as ${owner.email}. The session's token, valid for ${SESSION_DAYS} days:

  ${token}

Send it as a Bearer token:

  ${example}

`);
}
