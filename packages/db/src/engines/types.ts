import pg from "pg";

type Parse = (text: string) => unknown;

const asIs: Parse = (text) => text;

/**
 * Converts `2026-11-21 12:00:00.123456+00` to ISO 8601 with milliseconds; both engines' sessions are in UTC. It works
 * on the text, since most times are only passed on: making a Date and formatting it takes twenty times as long. Other
 * forms are rare.
 */
const parseTimestamptz: Parse = (text) =>
  text.endsWith("+00") && text[10] === " "
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, "0")}Z`
    : parseRareTimestamptz(text);

/** Parses a year with five digits or a year BC. Returns infinity unchanged. */
function parseRareTimestamptz(text: string): string {
  const time: unknown = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text);
  return time instanceof Date ? time.toISOString() : text;
}

/** The types by their OID and the OID of their array type. Any other type is read as a string. */
const scalars: [oid: number, arrayOid: number, parse: Parse][] = [
  [16, 1000, (text) => text === "t"], // boolean
  [17, 1001, (text) => Buffer.from(text.slice(2), "hex")], // bytea
  [20, 1016, asIs], // int8: may exceed the safe integers of a number
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [25, 1009, asIs], // text
  [26, 1028, Number], // oid
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [114, 199, (text) => JSON.parse(text)], // json
  [3802, 3807, (text) => JSON.parse(text)], // jsonb
  [1042, 1014, asIs], // char(n)
  [1043, 1015, asIs], // varchar
  [1082, 1182, asIs], // date: a day is not an instant
  [1114, 1115, asIs], // timestamp without time zone: not an instant either
  [1184, 1185, parseTimestamptz],
  [1700, 1231, asIs], // numeric
  [2950, 2951, asIs], // uuid
];

const TEXT_ARRAY: number = 1009;
const parseTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY);

const parseArray =
  (parse: Parse): Parse =>
  (text) =>
    parseTextArray(text).map((item) => (item === null ? null : parse(item)));

/** Parsers of a column's text, by the type's OID. Both engines use them, so both return the same JavaScript types. */
export const parsers: Record<number, Parse> = Object.fromEntries(
  scalars.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, parseArray(parse)],
  ]),
);

/** `parsers` as pg's configuration. It is set for each pool or client, never for the whole process. */
export const pgTypes: pg.CustomTypesConfig = { getTypeParser: (oid: number) => parsers[oid] ?? asIs };
