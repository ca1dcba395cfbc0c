import type { DefaultNow, Timestamp } from "./columns";

/** The lease of an API process. Its devices are online while the lease holds. */
export interface ApiInstanceTable {
  /** A process whose lease has expired takes a new one under a new id: a lease is never revived. */
  id: string;
  started_at: DefaultNow;
  lease_until: Timestamp;
  /** The release that the process runs. */
  version: string;
}

/** The progress of jobs that one instance does at a time. */
export interface MaintenanceTable {
  job: "hourly" | "ended" | "results" | "tails";
  reached: Timestamp;
}
