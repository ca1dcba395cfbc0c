import { newId } from "@grove/db";
import { projectFields } from "../testing/fixtures";
import type { World } from "../testing/world";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { deviceReads, deviceWrites, memberReads, memberWrites } from "./outcomes";

const workspace = (id = newId()) => ({ id, name: "matrix", type: "worktree", config: {} });

const restoration = async (world: World) => ({
  workspaceId: (await world.workspace()).id,
  mode: "files",
  point: "0".repeat(40),
  expectHead: "0".repeat(40),
});

const commit = "0".repeat(40);
/** The outcome with access is 412, because the member's workspace is on no device. */
const changes = "401  403  403  412  412  412  403  412  401  401  401  401";

/** A row of `workspace.change`, with what its input needs besides the workspace. */
const change = (outcomes: string, fields: object): Matrix[string] => ({
  outcomes,
  input: async (world) => ({
    ...inOrganization(world),
    ...fields,
    workspaceId: (await world.workspace()).id,
  }),
  foreign: async (world) => ({ ...ofStranger(world), ...fields, workspaceId: (await world.workspace()).id }),
});

/** A row about a change, which is on no device. The organization is connected to no code host. */
const ofChange = (outcomes: string, fields: object): Matrix[string] => ({
  outcomes,
  input: async (world) => ({ ...inOrganization(world), ...fields, changeId: (await world.change()).id }),
  foreign: async (world) => ({ ...ofStranger(world), ...fields, changeId: (await world.change()).id }),
});

/** Its workspace was deleted, so only admins act on it. */
const pullMatrix: Matrix = {
  "change.openPull": ofChange("401  403  403  403  412  412  403  403  401  401  401  401", {
    title: "Work",
  }),
  "change.markReady": ofChange("401  403  403  403  412  412  403  403  401  401  401  401", {}),
  "change.pullStatus": ofChange("401  403  403  412  412  412  412  412  401  401  401  401", {}),
  "change.checkLog": ofChange("401  403  403  403  412  412  403  403  401  401  401  401", {
    checkId: "1",
  }),
  "change.approve": ofChange("401  403  403  403  412  412  403  403  401  401  401  401", { head: commit }),
  "change.unapprove": ofChange("401  403  403  403  ok   ok   403  403  401  401  401  401", {
    head: commit,
  }),
  "change.merge": ofChange("401  403  403  403  412  412  403  403  401  401  401  401", {
    head: commit,
    method: "merge",
  }),
  "change.cancelMerge": ofChange("401  403  403  403  ok   ok   403  403  401  401  401  401", {}),
};

/** A row of `workspace.review` about a draft of the member's, which others do not see. */
const draft = (fields: object): Matrix[string] => ({
  outcomes: "401  403  403  412  404  404  403  412  401  401  401  401",
  input: async (world) => ({ ...inOrganization(world), ...fields, id: (await world.reviewComment()).id }),
  foreign: async (world) => ({ ...ofStranger(world), ...fields, id: (await world.reviewComment()).id }),
});

const anchor = { point: commit, blob: commit, path: "a", side: "after", from: 1, to: 1 };

export const workspaceMatrix: Matrix = {
  "review.list": ofChange("401  403  403  412  412  412  412  412  401  401  401  401", {}),
  "review.save": ofChange(changes, { id: newId(), anchor, body: "Words" }),
  "review.mark": ofChange(changes, { point: commit }),
  "review.send": ofChange(changes, { sessionId: newId() }),
  "review.discard": draft({}),
  "review.settle": draft({ resolved: true }),
  "review.answer": draft({ state: "fixed" }),
  "change.finish": change(changes, { summary: "Done" }),
  "change.status": change("401  403  403  412  412  412  412  412  401  401  401  401", {}),
  "change.runGate": change(changes, {}),
  "change.commit": change(changes, { message: "Work" }),
  "change.push": change(changes, { expectHead: commit }),
  "change.update": change(changes, { expectHead: commit }),
  "change.mergeHere": change("401  403  403  412  412  412  403  403  401  401  401  401", {
    head: commit,
    expectBase: commit,
  }),
  ensure: {
    outcomes: deviceWrites,
    input: (world) => ({ ...inOrganization(world), project: projectFields(), workspace: workspace() }),
  },
  create: {
    outcomes: memberWrites,
    input: ({ organizationId, project }) => {
      const { id: _, ...fields } = workspace();
      return { organizationId, projectId: project.id, ...fields };
    },
    foreign: ({ stranger, project }) => {
      const { id: _, ...fields } = workspace();
      return { organizationId: stranger.organizationId, projectId: project.id, ...fields };
    },
  },
  delete: {
    // The member's workspace, which is on no device: the member and admins may delete it.
    outcomes: "401  403  403  ok   ok   ok   403  ok   401  401  403  403",
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id }),
  },
  ...pullMatrix,
  "change.list": { outcomes: memberReads, input: inOrganization },
  "change.get": {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.change()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.change()).id }),
  },
  list: { outcomes: deviceReads, input: inOrganization },
  get: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id }),
  },
  listPoints: {
    // The outcome with access is 412, because the member's workspace is on no device.
    outcomes: "401  403  403  412  412  412  412  412  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), workspaceId: (await world.workspace()).id }),
    foreign: async (world) => ({ ...ofStranger(world), workspaceId: (await world.workspace()).id }),
  },
  undo: {
    outcomes: "401  403  403  412  412  412  403  412  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), ...(await restoration(world)) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await restoration(world)) }),
  },
  update: {
    // The member's workspace is on no device, so it does not exist for the device.
    outcomes: "401  403  403  ok   ok   ok   403  ok   401  401  404  403",
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id, name: "other" }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id, name: "other" }),
  },
};
