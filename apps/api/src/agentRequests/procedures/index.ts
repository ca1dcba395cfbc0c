export { requestProcedures } from "./requests";
