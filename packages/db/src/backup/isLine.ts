import { type BackupHeader, FORMAT, type SummaryLine, type TableLine } from "./format";

/** Whether a value has properties that fulfil these checks. */
const hasFields = (value: unknown, checks: Record<string, (field: unknown) => boolean>): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(checks).every(([name, check]) => check(Reflect.get(value, name)));

const isText = (value: unknown): boolean => typeof value === "string";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isListOf = (check: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(check);

const isSealedSample = (value: unknown): boolean =>
  hasFields(value, { keyId: isText, sealed: isText, identity: isText });

export const isBackupHeader = (value: unknown): value is BackupHeader =>
  hasFields(value, {
    format: (format) => format === FORMAT,
    version: isNumber,
    createdAt: isText,
    release: isText,
    engine: isText,
    migrations: isListOf(isText),
    sealed: isListOf(isSealedSample),
  });

export const isTableLine = (value: unknown): value is TableLine =>
  hasFields(value, { table: isText, columns: isListOf(isText) });

export const isSummaryLine = (value: unknown): value is SummaryLine =>
  hasFields(value, {
    sha256: isText,
    rows: (rows) => typeof rows === "object" && rows !== null && Object.values(rows).every(isNumber),
  });
