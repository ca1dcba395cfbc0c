import type { Matrix } from "./entry";
import { siteAdminOnly } from "./outcomes";

export const adminMatrix: Matrix = {
  listUsers: { outcomes: siteAdminOnly, input: () => ({ limit: 5 }) },
  getUser: { outcomes: siteAdminOnly, input: async ({ newUser }) => newUser() },
  setUserDisabled: {
    outcomes: siteAdminOnly,
    input: async ({ newUser }) => ({ ...(await newUser()), disabled: true }),
  },
  deleteUser: { outcomes: siteAdminOnly, input: async ({ newUser }) => newUser() },
  listOrganizations: { outcomes: siteAdminOnly, input: () => ({ limit: 5 }) },
  stats: { outcomes: siteAdminOnly, input: () => undefined },
};
