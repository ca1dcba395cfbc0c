import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { GroveError } from "../errors";

const ALGORITHM = "aes-256-gcm";
const KEY_BYTES = 32;
/** The sizes that NIST SP 800-38D recommends. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyForm = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_=-]+)$/;

export interface VaultKey {
  /** The prefix of everything sealed with the key. */
  id: string;
  key: Buffer;
}

/**
 * Reads `id:base64[,id:base64]`, each key of 32 bytes.
 * @throws {Error} with a message that states the problem and never contains a key
 */
export function parseVaultKeys(text: string): [VaultKey, ...VaultKey[]] {
  const keys = text.split(",").map((part, at) => {
    const [, id, base64] = keyForm.exec(part.trim()) ?? [];
    if (id === undefined || base64 === undefined)
      throw new Error(`key ${at + 1} must be id:base64, the id of letters, digits, - and _`);
    const key = Buffer.from(base64, "base64");
    if (key.length !== KEY_BYTES)
      throw new Error(
        `key ${at + 1} must be ${KEY_BYTES} bytes in base64; make one with: openssl rand -base64 32`,
      );
    return { id, key };
  });
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error("two keys have the same id");
  // `split` returns at least one part.
  return keys as [VaultKey, ...VaultKey[]];
}

/** A new key, in the form that {@link parseVaultKeys} reads. */
export const generateVaultKey = (id: string): string => `${id}:${randomBytes(KEY_BYTES).toString("base64")}`;

/**
 * Encrypts secrets that the service must be able to read again: project secrets and providers' credentials. AES-256-GCM
 * with the row's identity as additional data, so that a value sealed for one row does not open in another.
 */
export class Vault {
  readonly #newest: VaultKey;
  readonly #keys: ReadonlyMap<string, Buffer>;

  /** The first key encrypts, all of them decrypt. */
  constructor(keys: [VaultKey, ...VaultKey[]]) {
    this.#newest = keys[0];
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
  }

  /** `<key id>.<iv, tag and ciphertext in base64url>` */
  seal(value: string, identity: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#newest.key, iv).setAAD(Buffer.from(identity));
    const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
    return `${this.sealedPrefix}${Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url")}`;
  }

  /** The prefix of every value that was sealed with the newest key. All other values must be encrypted again. */
  get sealedPrefix(): string {
    return `${this.#newest.id}.`;
  }

  /**
   * @throws {GroveError} PRECONDITION_FAILED `secret_unreadable` if no key fits, or the value was changed or sealed for
   * another identity
   */
  open(sealed: string, identity: string): string {
    const dot = sealed.indexOf(".");
    const id = sealed.slice(0, dot);
    const key = this.#keys.get(id);
    if (!key)
      throw unreadable(`CREDENTIALS_KEY has no key "${id}", with which a stored secret was encrypted.`);
    const bytes = Buffer.from(sealed.slice(dot + 1), "base64url");
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(identity));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const ciphertext = bytes.subarray(IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
    } catch (cause) {
      throw unreadable(
        `The key "${id}" of CREDENTIALS_KEY is not the one with which a stored secret was encrypted.`,
        cause,
      );
    }
  }
}

const unreadable = (problem: string, cause?: unknown) =>
  new GroveError(
    "PRECONDITION_FAILED",
    `${problem} The operator must restore the right key, or the secret must be set again.`,
    { reason: "secret_unreadable", cause },
  );
