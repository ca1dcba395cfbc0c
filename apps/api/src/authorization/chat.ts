import { inOrganization, type Matrix, ofStranger } from "./entry";
import { memberReads, memberWrites } from "./outcomes";

export const chatMatrix: Matrix = {
  createSession: {
    outcomes: memberWrites,
    input: inOrganization,
    foreign: async (world) => ({ ...ofStranger(world), workspaceId: (await world.workspace()).id }),
  },
  listSessions: { outcomes: memberReads, input: inOrganization },
  getSession: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.chatSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.chatSession()).id }),
  },
  renameSession: {
    outcomes: memberWrites,
    input: async (world) => ({
      ...inOrganization(world),
      id: (await world.chatSession()).id,
      title: "Changed",
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      id: (await world.chatSession()).id,
      title: "Changed",
    }),
  },
  deleteSession: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.chatSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.chatSession()).id }),
  },
  sendMessage: {
    outcomes: memberWrites,
    input: async (world) => ({
      ...inOrganization(world),
      sessionId: (await world.chatSession()).id,
      text: "Hi",
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      sessionId: (await world.chatSession()).id,
      text: "Hi",
    }),
  },
  listMessages: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), sessionId: (await world.chatSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), sessionId: (await world.chatSession()).id }),
  },
  onMessage: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), sessionId: (await world.chatSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), sessionId: (await world.chatSession()).id }),
  },
};
