import type { Engine } from "../open";

/** The first line of a backup. */
export interface BackupHeader {
  format: "grove-backup";
  /** The version of the format. It is raised when an older release could not read the file. */
  version: number;
  createdAt: string;
  /** The release of Grove that made it. */
  release: string;
  engine: Engine;
  /** The migrations that the tables have had, in order. */
  migrations: string[];
  /** One value encrypted with each key; a restore decrypts them to check its keys. */
  sealed: SealedSample[];
}

/** A sealed value, and the row that it is bound to. It opens only with the key of that id. */
export interface SealedSample {
  keyId: string;
  sealed: string;
  identity: string;
}

/** A line before the rows of a table. Each row is an array with the text of each of these columns, or null. */
export interface TableLine {
  table: string;
  columns: string[];
}

/** The last line. */
export interface SummaryLine {
  /** How many rows each table has. */
  rows: Record<string, number>;
  /** SHA-256 of all lines before this one, in hexadecimal. */
  sha256: string;
}

export const FORMAT = "grove-backup";
export const VERSION = 1;

/** Thrown when a backup cannot be made, read or restored. The message is one line with the next step. */
export class BackupError extends Error {
  override name = "BackupError";
}

/** Called now and then during long work. */
export type Progress = (done: { table: string; rows: number; total?: number }) => void;
