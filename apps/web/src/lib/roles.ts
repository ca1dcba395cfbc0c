import type { Role } from "@grove/schemas";

/** The roles of members in words, from the most rights to the least. */
export const roles = {
  owner: { title: "Owner", hint: "Also changes owners, and may delete the organization." },
  admin: { title: "Admin", hint: "Also invites people, changes members, and sees everyone's keys." },
  member: { title: "Member", hint: "Works with devices, workspaces, agents and tasks." },
} satisfies Record<Role, { title: string; hint: string }>;
