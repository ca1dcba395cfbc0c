export { type Actor, recordAudit } from "@grove/auth";
