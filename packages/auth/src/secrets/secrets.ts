import { hash, randomBytes } from "node:crypto";
import { credentialPrefixes as prefixes } from "@grove/schemas";

export type SecretKind = keyof typeof prefixes;

/** 256 bits cannot be guessed, so one fast hash is enough for storage. */
const ENTROPY_BYTES = 32;
const form = new RegExp(`^(${Object.values(prefixes).join("|")})[A-Za-z0-9_-]{43}$`);

export interface NewSecret {
  /** For its holder, who sees it only this once. */
  secret: string;
  /** The hash that the database keeps. */
  hash: string;
  /** The first 12 characters, to recognize it by. */
  prefix: string;
}

/** Makes a credential: a prefix that names its kind, and 256 random bits in base64url (RFC 4648, section 5). */
export function createSecret(kind: SecretKind): NewSecret {
  const secret = prefixes[kind] + randomBytes(ENTROPY_BYTES).toString("base64url");
  return { secret, hash: hashSecret(secret), prefix: secret.slice(0, 12) };
}

/** Makes the token of a link: 256 random bits, used once and soon. */
export function createToken(): { token: string; hash: string } {
  const token = randomBytes(ENTROPY_BYTES).toString("base64url");
  return { token, hash: hashSecret(token) };
}

/** SHA-256 in hex, by which a presented secret is looked up. */
export const hashSecret = (secret: string): string => hash("sha256", secret);

/** The kind of a credential, by its form alone; null for text that cannot be one. */
export function kindOf(secret: string): SecretKind | null {
  if (!form.test(secret)) return null;
  if (secret.startsWith(prefixes.session)) return "session";
  return secret.startsWith(prefixes.api_key) ? "api_key" : "device";
}
