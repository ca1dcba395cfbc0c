import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { errorData, signedIn } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import * as z from "zod";
import { UserError } from "../errors";
import type { DataDir, OwnerFile } from "./dataDir";

const OWNER_EMAIL = "owner@grove.local";
const REQUEST_MS = 30_000;

/**
 * Signs in the owner of local mode, and makes the account if there is none. The password is stored before the account
 * is made, so that a launcher that was killed in between can continue.
 * @returns the session's token
 */
export async function signInOwner(apiUrl: string, dir: DataDir, signal: AbortSignal): Promise<string> {
  const ownerFile = await dir.owner.read();
  const owner = ownerFile ?? { email: OWNER_EMAIL, password: randomBytes(24).toString("base64url") };
  if (!ownerFile) await dir.owner.write(owner);
  const signUp = await post(apiUrl, "sign-up", { ...owner, name: loginName() }, signal);
  if (signUp.token !== undefined) return signUp.token;
  if (signUp.reason === "sign_up_closed")
    throw new UserError(
      "Another user of this machine created the first account in this data directory. Start with another --data-dir.",
    );
  if (signUp.reason !== "email_taken")
    throw new UserError(`The owner's account could not be created: ${signUp.message}`);
  if (ownerFile) return signIn(apiUrl, owner, dir, signal);
  // The password that was just stored is not the existing account's.
  await dir.owner.remove();
  throw new UserError(ownerMissing(dir));
}

/** A running Grove has an owner, and a new start cannot make the account again. */
export const ownerMissing = (dir: DataDir): string =>
  `The file with the owner's password, ${dir.owner.path}, is missing. Restore it from a copy. Without a copy, stop Grove and start it with another --data-dir.`;

/**
 * Signs in with the account in owner.json.
 * @returns the session's token
 * @throws {UserError} if the API does not accept its password
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
    signal: timeoutSignal(REQUEST_MS, signal),
  });
  const answer: unknown = await response.json();
  if (response.ok) return { token: signedIn.parse(answer).token };
  const { error } = refusal.parse(answer);
  return { reason: error.data.reason, message: error.message };
}

/** An error answer of the API. */
const refusal = z.object({ error: z.object({ message: z.string(), data: errorData }) });

/** The user's name on this machine. */
function loginName(): string {
  try {
    return userInfo().username.trim().slice(0, 200) || "Owner";
  } catch {
    // In many containers the user id has no entry in the system's list.
    return "Owner";
  }
}
