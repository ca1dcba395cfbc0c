import * as z from "zod";
import { id, name, slug, timestamp } from "./values";

/** What a member may do, least to most. */
export const roles = ["member", "admin", "owner"] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

export const organization = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  image: z.string(),
  createdAt: timestamp,
  /** The caller's own role. */
  role,
});
export type Organization = z.infer<typeof organization>;

/** Every procedure within an organization names it. */
export const organizationScope = { organizationId: id };

/** organization.create: the slug is derived from the name when omitted. */
export const organizationCreateInput = z.strictObject({ name, slug: slug.optional() });
