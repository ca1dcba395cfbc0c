import { newId } from "@grove/db";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { adminWrites, memberReads, people, sessions } from "./outcomes";

export const organizationMatrix: Matrix = {
  create: { outcomes: sessions, input: () => ({ name: "Orchard" }) },
  list: { outcomes: people, input: () => undefined },
  get: { outcomes: memberReads, input: inOrganization },
  update: { outcomes: adminWrites, input: (world) => ({ ...inOrganization(world), name: "Owner" }) },
  delete: {
    // A wrong slug, so that the organization is not deleted: only the owner gets as far as this error.
    outcomes: "401  403  403  403  403  400  403  403  401  401  401  401",
    input: (world) => ({ ...inOrganization(world), confirmSlug: "not-this" }),
  },
  listMembers: { outcomes: memberReads, input: inOrganization },
  updateMemberRole: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), ...(await world.newMember()), role: "admin" }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.newMember()), role: "admin" }),
  },
  removeMember: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), ...(await world.newMember()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.newMember()) }),
  },
  leave: {
    // The owner is the last one.
    outcomes: "401  403  403  ok   ok   412  403  403  401  401  401  401",
    input: async (world) => ({ organizationId: (await world.secondOrganization()).id }),
  },
  invite: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), email: `${newId()}@example.com`, role: "member" }),
  },
  listInvitations: { outcomes: adminWrites, input: inOrganization },
  revokeInvitation: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.invitation()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.invitation()).id }),
  },
  getInvitation: {
    outcomes: "ok   ok   ok   ok   ok   ok   ok   ok   ok   ok   ok   ok",
    input: async (world) => ({ token: (await world.invitation()).token }),
  },
  acceptInvitation: {
    // The invitation is for another person.
    outcomes: "401  403  403  403  403  403  403  403  401  401  401  401",
    input: async (world) => ({ token: (await world.invitation()).token }),
  },
  listAuditEvents: { outcomes: adminWrites, input: inOrganization },
  watch: { outcomes: memberReads, input: inOrganization },
};
