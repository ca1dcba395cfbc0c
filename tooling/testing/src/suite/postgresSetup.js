import { randomBytes } from "node:crypto";
import { dropDatabase, startPostgres } from "../postgres/index.js";

/**
 * Vitest's global set-up for the project `postgres`: one server for the run.
 * @param {import("vitest/node").TestProject} project
 */
export default async function setup(project) {
  const server = await startPostgres();
  const template = `grove_template_${randomBytes(8).toString("hex")}`;
  project.provide("postgresUrl", server.url);
  project.provide("postgresTemplate", template);
  return async () => {
    // The server of TEST_DATABASE_URL outlives the run.
    await dropDatabase(server.url, template);
    await server.stop();
  };
}
