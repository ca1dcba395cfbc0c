export { sessionProcedures } from "./sessions";
