/** The fields of PostgreSQL's own errors that both engines' errors have. */
interface SqlError extends Error {
  code: string;
  constraint?: string;
}

const hasCode = (error: unknown, code: string): error is SqlError =>
  error instanceof Error && "code" in error && error.code === code;

/**
 * Whether a statement failed on a unique constraint or index, on either engine.
 * @param constraint only this one, by its name in the schema
 */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  hasCode(error, "23505") && (constraint === undefined || error.constraint === constraint);

/**
 * Whether a statement failed on a foreign key, on either engine: it refers to a row that does not exist, or deletes a
 * row that is still referred to.
 * @param constraint only this one, by its name in the schema
 */
export const isForeignKeyViolation = (error: unknown, constraint?: string): boolean =>
  hasCode(error, "23503") && (constraint === undefined || error.constraint === constraint);

/** Whether a transaction lost against another (serialization failure or deadlock) and may be retried. */
export const isSerializationFailure = (error: unknown): boolean =>
  hasCode(error, "40001") || hasCode(error, "40P01");

/** Whether a statement waited for a lock longer than its transaction allows. */
export const isLockTimeout = (error: unknown): boolean => hasCode(error, "55P03");

/**
 * Whether a statement ran or waited for a lock for too long and was ended, or was refused because it would run for too
 * long.
 */
export const isStatementTimeout = (error: unknown): boolean =>
  hasCode(error, "57014") || isLockTimeout(error) || error instanceof TooCostlyError;

/**
 * The codes of a database that is shutting down, starting up, read-only after a failover, or out of connections, memory
 * or disk space, or that could not be reached. PostgreSQL's are of the classes 08, 25, 53 and 57.
 */
const unavailableCodes =
  /^(08...|25006|53[123]00|57P0[123]|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|ETIMEDOUT)$/;

/**
 * The messages of node-postgres for a connection that was lost, or that was not available in time. These errors have no
 * code.
 */
const unavailableWords =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/**
 * Whether a statement failed because the database could not be reached, or the connection was lost while the statement
 * ran. In that case it may have taken effect.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof ConnectionTimeoutError) return true;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? unavailableCodes.test(code) : unavailableWords.test(error.message);
};

/** Reasons why the database does not answer, by code, and what to do. */
const unavailableReasons: readonly [RegExp, string][] = [
  [/^53100$/, "The database's disk is full. Its operator must free some space."],
  [/^53200$/, "The database is out of memory. Try again soon."],
  [/^53300$/, "The database has no free connection. Try again soon."],
  [/^25006$/, "The database is read-only: a standby, or closed by its operator. Try again soon."],
  [/^57P0[123]$/, "The database is shutting down or starting. Try again soon."],
];

/** Describes to a caller why the database did not answer (see `isUnavailable`), and what to do. */
export function describeUnavailable(error: unknown): string {
  if (isConnectionTimeout(error)) return "No database connection became free in time. Try again soon.";
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = unavailableReasons.find(([codes]) => codes.test(code));
  return reason?.[1] ?? "The database cannot be reached at this time. Try again soon.";
}

const isConnectionTimeout = (error: unknown): boolean =>
  error instanceof ConnectionTimeoutError ||
  (error instanceof Error && error.message.startsWith("timeout exceeded when trying to connect"));

/** The codes of errors from which it follows that the database has not begun the statement. */
const notBegunCodes = /^(25006|53...|57P03|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether an unavailable database certainly did not execute the statement (see `isUnavailable`). */
export const isNotBegun = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? notBegunCodes.test(code) : isConnectionTimeout(error);
};

/**
 * Whether a statement named a time zone that the database does not know. Only for a statement in which no other
 * parameter can be invalid.
 */
export const isUnknownTimeZone = (error: unknown): boolean => hasCode(error, "22023");

/** A statement failed inside the transaction, its error was ignored, and so the commit rolled back. */
export class TransactionAbortedError extends Error {
  override name = "TransactionAbortedError";
  constructor() {
    super(
      "The transaction was rolled back: a statement in it had failed. Use a savepoint to continue after an error.",
    );
  }
}

/** The embedded engine has one connection: a query outside the open transaction would wait for its end forever. */
export class NestedQueryError extends Error {
  override name = "NestedQueryError";
  constructor() {
    super(
      "A query on the database inside one of its own transactions would never end: use the transaction instead.",
    );
  }
}

/** No connection became free in time. */
export class ConnectionTimeoutError extends Error {
  override name = "ConnectionTimeoutError";
  constructor(waitedMs: number) {
    super(`No database connection became free within ${waitedMs} ms: a transaction is open for too long.`);
  }
}

/** A query of the embedded engine that would read too much. */
export class TooCostlyError extends Error {
  override name = "TooCostlyError";
  constructor(cost: number) {
    super(`The embedded database would take too long for this query: its planner expects a cost of ${cost}.`);
  }
}

/** Another process has the embedded database open. */
export class DataDirectoryLockedError extends Error {
  override name = "DataDirectoryLockedError";
  readonly dataDir: string;
  /** The process that has it open. */
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by process ${pid}: stop that one, choose another DATA_DIR, or share a PostgreSQL (DATABASE_URL).`,
    );
    this.dataDir = dataDir;
    this.pid = pid;
  }
}

/** The migrations did not run. The failed migration was rolled back. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/** The server's version lacks SQL that Grove uses. */
export class PostgresTooOldError extends Error {
  override name = "PostgresTooOldError";
  constructor(major: number, oldest: number) {
    super(`The server is PostgreSQL ${major}, and Grove needs ${oldest} or newer.`);
  }
}

/** The clocks of this machine and of the database differ by too much. */
export class ClockSkewError extends Error {
  override name = "ClockSkewError";
  /** @param aheadMs how far this machine's clock is ahead of the database's */
  constructor(aheadMs: number) {
    const hours = Math.abs(aheadMs / 3_600_000).toFixed(1);
    super(
      `The clock of this machine is ${hours} hours ${aheadMs > 0 ? "ahead of" : "behind"} the database's. Set the clocks of both machines by NTP, then start again.`,
    );
  }
}

/** Errors of the file system, by Node's code; `errno` is the number in PGlite's WebAssembly (WASI). */
const fileSystemProblems: Record<string, { errno: number; what: string; next: string }> = {
  EACCES: { errno: 2, what: "this user cannot access its files", next: "Make this user their owner" },
  EPERM: { errno: 63, what: "this user cannot change its files", next: "Make this user their owner" },
  EROFS: { errno: 69, what: "the file system is read-only", next: "Make it writable" },
  ENOSPC: { errno: 51, what: "the disk is full", next: "Free some space" },
  EDQUOT: { errno: 19, what: "this user's disk quota is used up", next: "Free some space" },
};

/** The file system prevents opening the embedded database. The files may be intact. */
class DatabaseInaccessibleError extends Error {
  override name = "DatabaseInaccessibleError";
  constructor(directory: string, what: string, next: string, cause: unknown) {
    super(
      `The embedded database in ${directory} cannot be opened: ${what}. ${next}, or choose another DATA_DIR.`,
      { cause },
    );
  }
}

/** The reason why the embedded database did not open. */
export function whyNotOpen(directory: string, cause: unknown): Error {
  const { code, errno } = cause as { code?: unknown; errno?: unknown };
  const isNode = typeof code === "string";
  const problem = Object.entries(fileSystemProblems).find(([name, one]) =>
    isNode ? name === code : one.errno === errno,
  );
  if (problem) return new DatabaseInaccessibleError(directory, problem[1].what, problem[1].next, cause);
  return new DatabaseDamagedError(directory, cause);
}

/** The embedded database does not open: its files are damaged, or are not a database's. */
class DatabaseDamagedError extends Error {
  override name = "DatabaseDamagedError";
  constructor(directory: string, cause: unknown) {
    const { message, errno } = cause as { message?: string; errno?: number };
    super(
      `The embedded database in ${directory} does not open (${message ?? `error ${errno}`}). Restore that directory from a backup, or move it away to begin with an empty one.`,
      { cause },
    );
  }
}
