import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, name, page, timestamp } from "../values";

export const apiKeyScope = z.enum(["read", "write"]);
export type ApiKeyScope = z.infer<typeof apiKeyScope>;

export const apiKey = z.object({
  id,
  /** The member that the key acts for. */
  userId: id,
  name: z.string(),
  /** The first 12 characters of the key, to recognise it by. */
  prefix: z.string(),
  scopes: z.array(apiKeyScope),
  createdAt: timestamp,
  expiresAt: timestamp.nullable(),
  lastUsedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreateInput = z.strictObject({
  ...organizationScope,
  name,
  scopes: z.array(apiKeyScope).min(1).max(2).default(["read", "write"]),
  expiresAt: z.iso
    .datetime({ offset: true })
    .refine((value) => Date.parse(value) > Date.now(), "must lie in the future")
    // An offset can carry the last day over into the year 10000, which ISO 8601 cannot write with four digits.
    .refine((value) => Date.parse(value) < Date.UTC(10_000, 0), "must lie before the year 10000")
    .optional(),
});
export type ApiKeyCreateInput = z.infer<typeof apiKeyCreateInput>;
/** `key` is shown only once. */
export const apiKeyCreated = apiKey.extend({ key: z.string() });

export const apiKeyListInput = z.object({ ...organizationScope, ...page });
export type ApiKeyListInput = z.infer<typeof apiKeyListInput>;
export const apiKeyRevokeInput = z.strictObject({
  ...organizationScope,
  id,
  /** Also revokes the devices that were registered with the key. Use it for a stolen key. */
  revokeDevices: z.boolean().default(false),
});
export type ApiKeyRevokeInput = z.infer<typeof apiKeyRevokeInput>;
/** `devices`: the devices that were registered with this key and can still connect; absent if there are none. */
export const apiKeyRevoked = z.object({
  success: z.literal(true),
  devices: z.array(z.object({ id, name: z.string() })).optional(),
});
