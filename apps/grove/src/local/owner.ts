import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { errorData, signedIn } from "@grove/schemas";
import * as z from "zod";
import { UserError } from "../errors";
import type { DataDir, OwnerFile } from "./dataDir";

const OWNER_EMAIL = "owner@grove.local";
const REQUEST_MS = 30_000;

/**
 * A session of the owner of local mode, whose account is made where there is none. The password is written down before
 * the account is made, so that a launcher that was killed in between can go on.
 * @returns the session's token
 */
export async function signInOwner(apiUrl: string, dir: DataDir, signal: AbortSignal): Promise<string> {
  const known = await dir.owner.read();
  const owner = known ?? { email: OWNER_EMAIL, password: randomBytes(24).toString("base64url") };
  if (!known) await dir.owner.write(owner);
  const made = await post(apiUrl, "sign-up", { ...owner, name: loginName() }, signal);
  if (made.token !== undefined) return made.token;
  if (made.reason === "sign_up_closed")
    throw new UserError(
      "Another user of this machine made the first account on this data directory. Start with another --data-dir.",
    );
  if (made.reason !== "email_taken")
    throw new UserError(`The owner's account cannot be made: ${made.message}`);
  if (known) return signIn(apiUrl, owner, dir, signal);
  // What was just written is not the password of the account that is there.
  await dir.owner.remove();
  throw new UserError(
    `The account ${owner.email} exists, but its password, ${dir.owner.path}, is gone. Restore that file, or start with another --data-dir.`,
  );
}

/**
 * A session of the account in owner.json.
 * @returns the session's token
 * @throws {UserError} when the API does not take its password
 */
export async function signIn(
  apiUrl: string,
  owner: OwnerFile,
  dir: DataDir,
  signal: AbortSignal,
  fetcher = fetch,
): Promise<string> {
  const { token, message } = await post(apiUrl, "sign-in", owner, signal, fetcher);
  if (token !== undefined) return token;
  throw new UserError(`Cannot sign in as ${owner.email} with the password in ${dir.owner.path}: ${message}`);
}

type Answer =
  | { token: string; reason?: never; message?: never }
  | { token?: never; reason?: string; message: string };

async function post(
  apiUrl: string,
  what: string,
  body: object,
  signal: AbortSignal,
  fetcher = fetch,
): Promise<Answer> {
  const response = await fetcher(new URL(`/api/auth/${what}`, apiUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]),
  });
  const answer: unknown = await response.json();
  if (response.ok) return { token: signedIn.parse(answer).token };
  const { error } = refusal.parse(answer);
  return { reason: error.data.reason, message: error.message };
}

/** An error answer of the API. */
const refusal = z.object({ error: z.object({ message: z.string(), data: errorData }) });

/** What the user is called on this machine. */
function loginName(): string {
  try {
    return userInfo().username.trim().slice(0, 200) || "Owner";
  } catch {
    // A user id without an entry in the system's list, as in many containers.
    return "Owner";
  }
}
