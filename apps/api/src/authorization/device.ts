import { inOrganization, type Matrix, ofStranger } from "./entry";
import {
  adminWrites,
  anyone,
  devices,
  memberOnly,
  memberReads,
  memberSession,
  memberWrites,
  sessions,
} from "./outcomes";

export const deviceMatrix: Matrix = {
  register: {
    outcomes: memberWrites,
    input: (world) => ({ ...inOrganization(world), name: "matrix", platform: "linux" }),
  },
  requestPairing: {
    outcomes: anyone,
    input: () => ({ name: "matrix", platform: "linux", agentVersion: "1.0.0" }),
  },
  finishPairing: {
    outcomes: anyone,
    input: async (world) => ({
      secret: (await world.registration()).token,
      name: "matrix",
      platform: "linux",
    }),
  },
  getPairing: {
    outcomes: sessions,
    input: async (world) => ({ code: (await world.pairing()).code }),
  },
  approvePairing: {
    outcomes: memberSession,
    input: async (world) => ({ ...inOrganization(world), code: (await world.pairing()).code }),
  },
  createRegistration: { outcomes: memberSession, input: inOrganization },
  list: { outcomes: memberReads, input: inOrganization },
  self: { outcomes: devices, input: () => undefined },
  probe: { outcomes: devices, input: () => undefined },
  connect: {
    outcomes: devices,
    input: (world) => ({
      journalId: world.journalId,
      agentVersion: "1.0.0",
      capabilities: ["list_projects"],
    }),
  },
  get: {
    outcomes: memberReads,
    input: (world) => ({ ...inOrganization(world), id: world.device.id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.device.id }),
  },
  update: {
    outcomes: memberOnly,
    input: (world) => ({ ...inOrganization(world), id: world.device.id, name: "members" }),
    foreign: (world) => ({ ...ofStranger(world), id: world.device.id, name: "members" }),
  },
  revoke: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.newDevice()).id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.device.id }),
  },
  setSecretsAllowed: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), id: world.device.id, allowed: true }),
    foreign: (world) => ({ ...ofStranger(world), id: world.device.id, allowed: true }),
  },
  rotateKey: {
    outcomes: "401  403  403  ok   403  403  403  403  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), id: (await world.newDevice()).id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.device.id }),
  },
};
