export { createDatabase, dropDatabase } from "./database.js";
export { startPostgres } from "./server.js";
