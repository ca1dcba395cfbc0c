import * as z from "zod";
import { visibleName } from "./text/invisibleCharacters";

/** PostgreSQL's text and jsonb accept neither NUL nor half of a surrogate pair; there the error would be a 500. */
const storable = (value: string) => !value.includes("\0") && value.isWellFormed();
const STORABLE_MESSAGE = "must not contain NUL characters or unpaired surrogates";

/** Any well-formed UUID, lower-cased. The server itself makes version 7. */
export const id = z.guid().toLowerCase();

/**
 * One trimmed line of text for people to read: 1 to `max` characters. Controls, bidirectional controls and other
 * invisible characters are refused, since two names could look the same. Scripts and emoji keep their joiners.
 */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => storable(value) && !/[\r\n]/.test(value), "must be one line of text")
    .refine((value) => visibleName(value) === value, "must not contain invisible characters");

/** Text of any number of lines, stored unchanged: up to `max` characters. */
export const text = (max: number) => z.string().max(max).refine(storable, STORABLE_MESSAGE);

/** A name of 1..200 characters. */
export const name = line(200);

/** ISO-8601 in UTC. */
export const timestamp = z.iso.datetime();

/** The maximum length of a slug that is derived from a name. A slug may be longer: it may get a suffix. */
export const MAX_DERIVED_SLUG_LENGTH = 60;

/** A slug that Grove makes itself. */
export const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens");

/** A project's slug: any URL-safe name, since code hosts have rules of their own. */
export const projectSlug = z
  .string()
  .max(80)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._~-]*$/,
    "must begin with a letter or digit; then letters, digits and . _ ~ -",
  );

/** An e-mail address, lower-cased: at most 254 characters (RFC 5321). */
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());

/** The address of an image: https, at most 2 000 characters. Normalizing it removes what PostgreSQL cannot store. */
export const image = z.url({ protocol: /^https$/, normalize: true }).max(2000);

/** The address of a page: http or https, stored unchanged. */
export const webUrl = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .refine(storable, STORABLE_MESSAGE);

const isTimeZone = (value: string) => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
};

/** An IANA name. Never an offset, since PostgreSQL reads its sign the other way round. */
export const timeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]/, "must be an IANA time zone such as Europe/Berlin")
  .refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin")
  .default("UTC");

/** The full id of a commit. */
export const commitId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/);

/** The id of a commit, or at least its first seven digits. */
export const shortCommitId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{7,64}$/, "must be the id of a commit: at least its first 7 hexadecimal digits");

/** A branch name as callers type it. On the device, `git check-ref-format --branch` decides whether it is valid. */
export const branchName = line(200).refine((value) => !value.startsWith("-"), "must not begin with a hyphen");

/** JSON objects are at most 64 KiB when serialized, and at most 32 levels deep. */
export const JSON_OBJECT_LIMITS = { bytes: 64 * 1024, depth: 32 } as const;

const isStorableJson = (value: unknown, depth: number): boolean => {
  if (typeof value === "string") return storable(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, item]) => storable(key) && isStorableJson(item, depth - 1));
};

/** A free-form JSON object within {@link JSON_OBJECT_LIMITS}. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorableJson(value, JSON_OBJECT_LIMITS.depth), {
    error: `must be at most ${JSON_OBJECT_LIMITS.depth} levels deep, without NUL characters or unpaired surrogates`,
    // JSON.stringify below is recursive, and a megabyte of brackets would overflow the stack.
    abort: true,
  })
  .refine(
    (value) => new TextEncoder().encode(JSON.stringify(value)).length <= JSON_OBJECT_LIMITS.bytes,
    "must be at most 64 KiB of JSON",
  );

/** A result that a device reports: any JSON that jsonb can store. The limit of the request body bounds its size. */
export const jsonValue = z
  .unknown()
  .refine(
    (value) => isStorableJson(value, 64),
    "must be at most 64 levels deep, without NUL characters or unpaired surrogates",
  );

/** Any JSON value in a response. tRPC's types would make a field of plain `unknown` optional. */
export const answeredJson = z.unknown() as z.ZodType<NonNullable<unknown> | null>;

/** The input of a procedure that takes none. Clients leave it out, or send `null` or `{}`. */
export const noInput = z.union([z.void(), z.null(), z.strictObject({})]);

/** Keyset pagination: `after` is the id of the last item seen. */
export const page = {
  limit: z.number().int().min(1).max(1000).default(1000),
  after: id.optional(),
};

export const success = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof success>;
