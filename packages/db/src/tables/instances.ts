import type { DefaultNow, Timestamp } from "./columns";

/** The lease of a process of the API. Its devices are online while it holds. */
export interface ApiInstanceTable {
  /** A process whose lease has run out takes a new one under a new id: no lease comes back. */
  id: string;
  started_at: DefaultNow;
  lease_until: Timestamp;
  /** The release that the process runs. */
  version: string;
}

/** How far a job that one instance does at a time has come. */
export interface MaintenanceTable {
  job: "hourly" | "ended" | "results" | "tails";
  reached: Timestamp;
}
