import { inOrganization, type Matrix, ofStranger } from "./entry";
import { devices, memberReads, memberWrites, thatDevice } from "./outcomes";

export const agentMatrix: Matrix = {
  execute: {
    // The device is the member's and not shared: admins and owners may not use it either.
    outcomes: "401  403  403  ok   403  403  403  ok   401  401  401  401",
    input: ({ organizationId, device }) => ({
      organizationId,
      deviceId: device.id,
      tool: "list_projects",
      params: {},
      waitMs: 0,
      ifOffline: "queue",
    }),
    foreign: ({ stranger, device }) => ({
      organizationId: stranger.organizationId,
      deviceId: device.id,
      tool: "list_projects",
      params: {},
      ifOffline: "queue",
    }),
  },
  getCommand: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.command()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.command()).id }),
  },
  cancelCommand: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.command()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.command()).id }),
  },
  start: {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId }),
  },
  progress: {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId, message: "half" }),
  },
  complete: {
    outcomes: thatDevice,
    input: async ({ command, journalId }) => ({ id: (await command()).id, journalId, result: {} }),
  },
  heartbeat: { outcomes: devices, input: () => ({ epoch: 1, beat: 1, running: [] }) },
};
