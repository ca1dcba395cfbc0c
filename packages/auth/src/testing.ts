import { newId } from "@grove/db";
import { useTestDatabase } from "@grove/db/testing";
import type { KyselyPlugin } from "kysely";
import { signUp } from "./accounts/accounts";
import { createAuth } from "./auth";
import { GroveError } from "./errors";
import { createSecret } from "./secrets/secrets";

export const password = "correct horse battery";
export const meta = { ip: "203.0.113.7", userAgent: "vitest" };

/** For test files: an `Auth` on the file's own database, which counts its statements. */
export async function useTestAuth() {
  const database = await useTestDatabase();
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const errors: string[] = [];
  const auth = createAuth({
    db: database.db.withPlugin(counter),
    secureCookies: true,
    log: { info() {}, warn() {}, error: (_, message) => errors.push(message) },
  });

  /** A new account, with its organization. */
  const person = async (name = "Ada Lovelace") => {
    const email = `${newId()}@example.com`;
    const { user, secret } = await signUp(auth, { email, password, name }, meta);
    const { organization_id: organizationId } = await database.db
      .selectFrom("memberships")
      .select("organization_id")
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    return { user, secret, organizationId };
  };

  /** An API key of that person. */
  const apiKey = async (
    owner: { user: { id: string }; organizationId: string },
    expiresAt: Date | null = null,
  ) => {
    const { secret, hash, prefix } = createSecret("api_key");
    const id = newId();
    await database.db
      .insertInto("api_keys")
      .values({
        id,
        organization_id: owner.organizationId,
        user_id: owner.user.id,
        name: "CI",
        prefix,
        key_hash: hash,
        scopes: ["read"],
        expires_at: expiresAt,
        // Recent enough that a lookup does not update it.
        last_used_at: new Date(),
      })
      .execute();
    return { id, secret };
  };

  /** A device of that person. */
  const device = async (owner: { user: { id: string }; organizationId: string }) => {
    const { secret, hash, prefix } = createSecret("device");
    const id = newId();
    await database.db
      .insertInto("devices")
      .values({
        id,
        organization_id: owner.organizationId,
        owner_id: owner.user.id,
        name: "Laptop",
        platform: "linux",
        key_prefix: prefix,
        key_hash: hash,
      })
      .execute();
    return { id, secret };
  };

  /** How many statements `work` takes. */
  const counted = async <T>(work: () => Promise<T>) => {
    const before = statements;
    const result = await work();
    return { result, statements: statements - before };
  };

  return { ...database, auth, errors, person, apiKey, device, counted };
}

/** The error that `work` fails with. */
export async function refusal(work: Promise<unknown>): Promise<GroveError> {
  const error = await work.then(
    () => new Error("It was allowed."),
    (reason: unknown) => reason,
  );
  if (error instanceof GroveError) return error;
  throw error;
}
