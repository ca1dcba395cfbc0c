import { hash, type Options, verify } from "@node-rs/argon2";

/** argon2id (the library's default) with the parameters of OWASP's Password Storage Cheat Sheet. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;

/** A hash in PHC form, with these parameters, that no password has. */
const dummyHash = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** A password is the same bytes on whatever keyboard it was typed (NIST SP 800-63B, 5.1.1.2). */
const normalize = (password: string) => password.normalize("NFKC");

/** Hashes a password for storage, in PHC form. Takes tens of milliseconds, off the main thread. */
export const hashPassword = (password: string): Promise<string> => hash(normalize(password), parameters);

/**
 * Whether this is the password. Without a hash (no such account, or one without a password) the answer is negative
 * after the same time, so that timing reveals nothing.
 */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> =>
  (await verify(passwordHash ?? dummyHash, normalize(password))) && passwordHash !== null;
