import { inOrganization, type Matrix } from "./entry";
import { devices, memberReads, memberWrites } from "./outcomes";

export const deviceMatrix: Matrix = {
  register: {
    outcomes: memberWrites,
    input: (world) => ({ ...inOrganization(world), name: "matrix", platform: "linux" }),
  },
  list: { outcomes: memberReads, input: inOrganization },
  self: { outcomes: devices, input: () => undefined },
  connect: {
    outcomes: devices,
    input: (world) => ({ journalId: world.journalId, agentVersion: "1", capabilities: ["list_projects"] }),
  },
};
