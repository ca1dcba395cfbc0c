/** How long a sweep waits for a device before it settles or requeues its commands. */
interface SweepTimes {
  /** The device enforces the time-out of its work itself. It gets this much longer to report how the work ended. */
  reportMs: number;
  /** A device that is present must begin a command within this time, or is sent it again. */
  beginMs: number;
}

/** How often the sweeper runs, and how long it waits for devices. */
export interface SweeperTimes extends SweepTimes {
  everyMs: number;
  /** How long after a start or an outage it settles nothing: devices need time to reconnect and report. */
  graceMs: number;
}

/** When the maintenance jobs run. */
export interface MaintenanceTimes {
  /** A process that has just started has more urgent work. */
  firstMs: number;
  /** From the end of one run to the next. Hourly work that another instance abandoned waits at most this long. */
  everyMs: number;
}

/** Where the embedded database is, and when it is backed up. */
export interface BackupOptions {
  dataDir: string;
  /** How often to check whether a backup is due; 10 minutes by default. */
  everyMs?: number;
  now?: () => Date;
}
