import { createHash } from "node:crypto";
import type { UserPrincipal } from "@grove/auth";

/** Whose idempotency keys these are. */
export const idempotencyOwner = (principal: UserPrincipal): string =>
  principal.kind === "api_key" ? `api_key:${principal.keyId}` : `user:${principal.user.id}`;

/** What an idempotency key stands for. In JSON the order of keys means nothing, so it is not hashed either. */
export const hashOf = (input: unknown): string =>
  createHash("sha256").update(JSON.stringify(input, sortKeys)).digest("hex");

const sortKeys = (_key: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
