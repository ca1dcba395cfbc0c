import { inOrganization, type Matrix, ofStranger } from "./entry";
import { memberSession } from "./outcomes";

export const apiKeyMatrix: Matrix = {
  create: {
    outcomes: memberSession,
    input: (world) => ({ ...inOrganization(world), name: "matrix" }),
  },
  list: { outcomes: memberSession, input: inOrganization },
  revoke: {
    outcomes: memberSession,
    input: async (world) => ({ ...inOrganization(world), id: (await world.apiKey()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.apiKey()).id }),
  },
};
