import { inOrganization, type Matrix } from "./entry";
import { memberWrites } from "./outcomes";

//                    none   str  site memb adm  own  read writ exp  rev  dev  sdev
const adminReads = /**/ "401  403  403  403  ok   ok   403  403  401  401  401  401";

const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };

export const analyticsMatrix: Matrix = {
  track: { outcomes: memberWrites, input: (world) => ({ ...inOrganization(world), event: "matrix" }) },
  trackBatch: {
    outcomes: memberWrites,
    input: (world) => ({ events: [{ ...inOrganization(world), event: "matrix" }] }),
  },
  trend: { outcomes: adminReads, input: (world) => ({ ...inOrganization(world), ...range }) },
  topEvents: { outcomes: adminReads, input: (world) => ({ ...inOrganization(world), ...range }) },
  funnel: {
    outcomes: adminReads,
    input: (world) => ({ ...inOrganization(world), ...range, events: ["one", "two"] }),
  },
  retention: {
    outcomes: adminReads,
    input: (world) => ({ ...inOrganization(world), ...range, event: "matrix" }),
  },
};
