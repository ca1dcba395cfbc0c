export { connectProcedures } from "./connect";
export { reportProcedures } from "./reports";
