export { type ErrorCode, type ErrorOptions, GroveError } from "./errors";
export {
  isAdmin,
  requireAdmin,
  requireDevice,
  requireDeviceUse,
  requireMemberOrDevice,
  requireMembership,
  requirePrincipal,
  requireScope,
  requireSession,
  requireUser,
} from "./guards";
export type * from "./principal";
