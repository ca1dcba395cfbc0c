import type { World } from "../testing/world";
import { inOrganization, type Matrix, ofStranger } from "./entry";
import { adminWrites, memberReads, memberWrites } from "./outcomes";

const hello = { repoOwner: "octocat", repoName: "Hello-World" };

/**
 * Makes the rows in the first organization, which has such a connection, and in the stranger's, which names that
 * connection.
 */
const inputFor = (provider: "github" | "linear" | "slack", rest: object = {}) => ({
  input: async (world: World) => {
    await world.connection(provider);
    return { ...inOrganization(world), ...rest };
  },
  foreign: async (world: World) => ({
    ...ofStranger(world),
    connectionId: (await world.connection(provider)).id,
    ...rest,
  }),
});

export const integrationMatrix: Matrix = {
  list: { outcomes: memberReads, input: inOrganization },
  connect: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), ...world.gitHub }),
  },
  authorizeUrl: {
    outcomes: adminWrites,
    input: (world) => ({ ...inOrganization(world), provider: "github" }),
  },
  disconnect: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.connection("github")).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.connection("github")).id }),
  },
  listEvents: { outcomes: memberReads, input: inOrganization },
  onEvent: { outcomes: memberReads, input: inOrganization },
  replayEvent: {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.deadEvent()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.deadEvent()).id }),
  },
  "codehost.listRepos": { outcomes: memberReads, ...inputFor("github") },
  "codehost.listPullRequests": { outcomes: memberReads, ...inputFor("github", hello) },
  "codehost.createWebhook": { outcomes: adminWrites, ...inputFor("github", { ...hello, events: ["push"] }) },
  "codehost.listWebhooks": { outcomes: adminWrites, input: inOrganization },
  "codehost.deleteWebhook": {
    outcomes: adminWrites,
    input: async (world) => ({ ...inOrganization(world), id: (await world.webhook()).id }),
    foreign: async (world) => ({ ...ofStranger(world), id: (await world.webhook()).id }),
  },
  "tracker.listIssues": { outcomes: memberReads, ...inputFor("linear") },
  "tracker.listTeams": { outcomes: memberReads, ...inputFor("linear") },
  "tracker.importIssue": { outcomes: memberWrites, ...inputFor("linear", { issueId: "LIN-1" }) },
  "messenger.sendMessage": {
    outcomes: memberWrites,
    ...inputFor("slack", { channel: "C012AB3CD", text: "Hello" }),
  },
  "messenger.listChannels": { outcomes: memberReads, ...inputFor("slack") },
};
