import { projectFields } from "../testing/fixtures";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { deviceReads, deviceWrites } from "./outcomes";

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
};
