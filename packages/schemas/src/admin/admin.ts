import * as z from "zod";
import { user } from "../accounts/user";
import { commandStatus } from "../commands/command";
import { role } from "../organizations/organization";
import { id, line, page, timestamp } from "../values";

/** Matches part of a name, an e-mail address or a slug. */
const search = line(200).optional();

export const adminUser = user.extend({
  /** Null while the account may be used. */
  disabledAt: timestamp.nullable(),
});
export type AdminUser = z.infer<typeof adminUser>;

export const adminUserDetails = adminUser.extend({
  organizations: z.array(z.object({ id, name: z.string(), slug: z.string(), role })),
  /** How many of each can be used now. */
  sessions: z.number().int(),
  apiKeys: z.number().int(),
  devices: z.number().int(),
});

export const adminOrganization = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  image: z.string(),
  members: z.number().int(),
  createdAt: timestamp,
});
export type AdminOrganization = z.infer<typeof adminOrganization>;

export const adminStats = z.object({
  users: z.number().int(),
  organizations: z.number().int(),
  devicesOnline: z.number().int(),
  /** Commands of the last 24 hours, by their current state. */
  commands: z.partialRecord(commandStatus, z.number().int()),
  /** Analytics events received in the last 24 hours. */
  events: z.number().int(),
});

export const adminListUsersInput = z.object({ search, ...page });
export type AdminListUsersInput = z.infer<typeof adminListUsersInput>;
export const adminGetUserInput = z.object({ id });
export type AdminGetUserInput = z.infer<typeof adminGetUserInput>;
export const adminSetUserDisabledInput = z.strictObject({ id, disabled: z.boolean() });
export type AdminSetUserDisabledInput = z.infer<typeof adminSetUserDisabledInput>;
export const adminDeleteUserInput = z.strictObject({ id });
export type AdminDeleteUserInput = z.infer<typeof adminDeleteUserInput>;
export const adminListOrganizationsInput = z.object({ search, ...page });
export type AdminListOrganizationsInput = z.infer<typeof adminListOrganizationsInput>;
