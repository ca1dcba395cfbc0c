export { createDatabase, dropDatabase, runStatement } from "./database.js";
export { startPostgres } from "./server.js";
