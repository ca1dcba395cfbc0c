import { newId } from "@grove/db";
import { projectFields } from "../testing/fixtures";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { deviceReads, deviceWrites, memberReads, memberWrites } from "./outcomes";

const workspace = (id = newId()) => ({ id, name: "matrix", type: "worktree", config: {} });

export const workspaceMatrix: Matrix = {
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
  list: { outcomes: deviceReads, input: inOrganization },
  get: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id }),
  },
  update: {
    // The member's workspace is on no device, so it does not exist for the device.
    outcomes: "401  403  403  ok   ok   ok   403  ok   401  401  404  403",
    input: async (world) => ({ ...inOrganization(world), id: (await world.workspace()).id, name: "other" }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.workspace()).id, name: "other" }),
  },
};
