import type { ColumnType, JSONColumnType } from "kysely";

/** A time: read as text in the form that the API returns, which is ISO 8601 in UTC with milliseconds. */
export type Timestamp = ColumnType<string, Date | string, Date | string>;
export type NullableTimestamp = ColumnType<
  string | null,
  Date | string | null | undefined,
  Date | string | null
>;
/** A time the database fills in when it is not given. */
export type DefaultNow = ColumnType<string, Date | string | undefined, Date | string>;
/** A jsonb column: read as an object, written as JSON text. */
export type Json<T> = JSONColumnType<T & object>;
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
