import type { Role } from "@grove/schemas";

/** Labels of the roles, from the most rights to the least. */
export const roleLabels = {
  owner: { title: "Owner", hint: "Can also change owners and delete the organization." },
  admin: { title: "Admin", hint: "Can also invite people, change members and see all API keys." },
  member: { title: "Member", hint: "Works with devices, workspaces, agents and tasks." },
} satisfies Record<Role, { title: string; hint: string }>;
