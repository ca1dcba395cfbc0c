export { commandProcedures } from "./commands";
