import { inOrganization, type Matrix, ofStranger } from "./entry";
import { memberReads, memberWrites } from "./outcomes";

//                    none   str  site memb adm  own  read writ exp  rev  dev  sdev
const adminWrites = /**/ "401  403  403  403  ok   ok   403  403  401  401  401  401";

const named = { name: "Matrix", type: "started" };

export const taskMatrix: Matrix = {
  create: {
    outcomes: memberWrites,
    input: (world) => ({ ...inOrganization(world), title: "Matrix" }),
    foreign: (world) => ({ ...ofStranger(world), title: "Matrix", projectId: world.project.id }),
  },
  list: { outcomes: memberReads, input: inOrganization },
  count: { outcomes: memberReads, input: inOrganization },
  countByStatus: { outcomes: memberReads, input: inOrganization },
  get: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).slug }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id }),
  },
  update: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id, title: "Changed" }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id, title: "Changed" }),
  },
  move: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id }),
  },
  delete: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).slug }),
  },
  restore: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id }),
  },
  listActivity: {
    outcomes: memberReads,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id }),
  },
  addComment: {
    outcomes: memberWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.task()).id, body: "Matrix" }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.task()).id, body: "Matrix" }),
  },
  updateComment: {
    // The comment is the member's, written in a session.
    outcomes: "401  403  403  ok   403  403  403  403  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), ...(await world.comment()), body: "Changed" }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.comment()), body: "Changed" }),
  },
  deleteComment: {
    outcomes: "401  403  403  ok   ok   ok   403  403  401  401  401  401",
    input: async (world) => ({ ...inOrganization(world), ...(await world.comment()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.comment()) }),
  },
  listStatuses: { outcomes: memberReads, input: inOrganization },
  createStatus: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), ...named }),
  },
  updateStatus: {
    outcomes: adminWrites,
    input: async (world) => ({
      ...inOrganization(world),
      key: (await world.taskStatus()).key,
      name: "Changed",
    }),
    foreign: async (world) => ({
      ...ofStranger(world),
      key: (await world.taskStatus()).key,
      name: "Changed",
    }),
  },
  deleteStatus: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), key: (await world.taskStatus()).key }),
    foreign: async (world) => ({ ...ofStranger(world), key: (await world.taskStatus()).key }),
  },
  watch: { outcomes: memberReads, input: inOrganization },
};
