import type { ColumnType, JSONColumnType } from "kysely";

/** A time the database fills in when it is not given. */
export type DefaultNow = ColumnType<Date, Date | undefined, Date>;
/** A jsonb column: read as an object, written as JSON text. */
export type Json<T> = JSONColumnType<T & object>;
export type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
