import { newId } from "@grove/db";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { devices, memberOnly, memberReads, memberSession, memberWrites, thatDevice } from "./outcomes";

/** A row for a device's call on behalf of a session's agent. The member's session has ended (412). */
const ofEndedSession = (fields: object): Matrix[string] => ({
  outcomes: "401  403  403  403  403  403  403  403  401  401  412  404",
  input: async (world) => ({ sessionId: (await world.agentSession()).id, ...fields }),
});

export const agentMatrix: Matrix = {
  execute: {
    // The device is the member's and not shared, so admins and owners may not use it either. The tool changes nothing,
    // so a key with only the read scope may run it.
    outcomes: "401  403  403  ok   403  403  ok   ok   401  401  401  401",
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
  listCommands: { outcomes: memberReads, input: inOrganization },
  watchCommand: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.settledCommand()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.command()).id }),
  },
  listSessions: { outcomes: memberReads, input: inOrganization },
  getSession: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.agentSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.agentSession()).id }),
  },
  waitForSessions: {
    outcomes: memberReads,
    input: async (world) => ({
      ...inOrganization(world),
      ids: [(await world.agentSession()).id],
      until: "end",
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      ids: [(await world.agentSession()).id],
      until: "end",
    }),
  },
  sessionOutput: {
    // The member's session, on the member's device: the member and admins may read it.
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.agentSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.agentSession()).id }),
  },
  sessionOutputs: {
    // The stream opens for each member, and refuses sessions one by one (`sessions.test.ts`).
    outcomes: memberReads,
    input: async (world) => ({
      ...inOrganization(world),
      sessions: [{ id: (await world.agentSession()).id }],
    }),
  },
  sessionTail: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.agentSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.agentSession()).id }),
  },
  sendInput: {
    // The device is the member's and not shared, and the session has ended (412).
    outcomes: "401  403  403  412  403  403  403  412  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), id: (await world.agentSession()).id, text: "y" }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.agentSession()).id, text: "y" }),
  },
  resizeSession: {
    outcomes: "401  403  403  412  403  403  403  412  401  401  401  401",
    input: async (world) => ({
      ...inOrganization(world),
      ...(await world.agentSession()),
      columns: 80,
      rows: 24,
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      ...(await world.agentSession()),
      columns: 80,
      rows: 24,
    }),
  },
  stopSession: {
    outcomes: memberOnly,
    input: async (world) => ({ ...inOrganization(world), id: (await world.agentSession()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.agentSession()).id }),
  },
  renameSession: {
    outcomes: memberOnly,
    input: async (world) => ({
      ...inOrganization(world),
      ...(await world.agentSession()),
      name: "Renamed",
    }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.agentSession()), name: "Renamed" }),
  },
  listRequests: { outcomes: memberReads, input: inOrganization },
  getRequest: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), ...(await world.agentRequest()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.agentRequest()) }),
  },
  snoozeRequest: {
    outcomes: memberSession,
    input: async (world) => ({ ...inOrganization(world), ...(await world.agentRequest()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.agentRequest()) }),
  },
  listSeenSessions: { outcomes: memberSession, input: inOrganization },
  markSessionSeen: {
    outcomes: memberSession,
    input: async (world) => ({
      ...inOrganization(world),
      ...(await world.agentSession()),
      seen: new Date().toISOString(),
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      ...(await world.agentSession()),
      seen: new Date().toISOString(),
    }),
  },
  answerRequest: {
    // The device is the member's and not shared. Only a person grants permission, so a key may not.
    outcomes: "401  403  403  ok   403  403  403  403  401  401  401  401",
    input: async (world) => ({
      ...inOrganization(world),
      ...(await world.agentRequest()),
      answer: { decision: "allow" },
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      ...(await world.agentRequest()),
      answer: { decision: "allow" },
    }),
  },
  releaseRequest: {
    // The device is the member's and not shared, and it is offline (412).
    outcomes: "401  403  403  412  403  403  403  412  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), ...(await world.agentRequest()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.agentRequest()) }),
  },
  sessionSecrets: {
    outcomes: thatDevice,
    input: async ({ startingSession }) => ({ commandId: (await startingSession()).commandId }),
  },
  reportSession: {
    outcomes: thatDevice,
    input: async ({ agentSession }) => ({
      type: "output",
      id: (await agentSession("running")).id,
      sequence: 1,
      data: "matrix",
    }),
  },
  listReviewComments: ofEndedSession({}),
  answerComment: ofEndedSession({ id: newId(), state: "fixed" }),
  finishWork: ofEndedSession({ summary: "Done" }),
};
