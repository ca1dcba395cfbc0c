import { projectFields } from "../testing/fixtures";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { adminWrites, deviceReads, deviceWrites, memberReads, memberWrites } from "./outcomes";

export const projectMatrix: Matrix = {
  create: {
    outcomes: deviceWrites,
    input: (world) => ({ ...inOrganization(world), ...projectFields() }),
  },
  list: { outcomes: deviceReads, input: inOrganization },
  get: {
    outcomes: deviceReads,
    input: (world) => ({ ...inOrganization(world), id: world.project.id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.project.id }),
  },
  update: {
    outcomes: memberWrites,
    input: (world) => ({ ...inOrganization(world), id: world.project.id, name: "Orchard" }),
    foreign: (world) => ({ ...ofStranger(world), id: world.project.id, name: "Orchard" }),
  },
  delete: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.newProject()).id }),
    foreign: (world) => ({ ...ofStranger(world), id: world.project.id }),
  },
  listSecrets: {
    outcomes: memberReads,
    input: (world) => ({ ...inOrganization(world), projectId: world.project.id }),
    foreign: (world) => ({ ...ofStranger(world), projectId: world.project.id }),
  },
  setSecret: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), projectId: world.project.id, key: "TOKEN", value: "ä" }),
    foreign: (world) => ({ ...ofStranger(world), projectId: world.project.id, key: "TOKEN", value: "ä" }),
  },
  deleteSecret: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), ...(await world.secret()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.secret()) }),
  },
  revealSecret: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), ...(await world.secret()) }),
    foreign: async (world) => ({ ...ofStranger(world), ...(await world.secret()) }),
  },
};
