import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  branchName,
  email,
  id,
  JSON_OBJECT_LIMITS,
  jsonObject,
  jsonValue,
  line,
  name,
  page,
  projectSlug,
  slug,
  text,
  webUrl,
} from "./values";

const takes = (schema: { safeParse: (value: unknown) => { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

/** `levels` nested arrays, parsed from text as in a request's body. */
const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

const NUL = "a\0b";
const HALF_A_PAIR = "a\ud800b";

describe("the address of a page", () => {
  it("is kept as it is", () => {
    expect(webUrl.parse("https://example.com/pull/7?a=b#c")).toBe("https://example.com/pull/7?a=b#c");
  });

  it.each([NUL, HALF_A_PAIR])("contains nothing that the database cannot store: %j", (path) => {
    expect(takes(webUrl, `https://example.com/${path}`)).toBe(false);
  });
});

describe("an id", () => {
  it("is lower-cased, so that each id has one spelling", () => {
    expect(id.parse("0198A000-0000-7000-8000-00000000ABCD")).toBe("0198a000-0000-7000-8000-00000000abcd");
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(id.parse(uuid.toUpperCase())).toBe(uuid);
      }),
    );
  });

  it("may be of any version", () => {
    expect(takes(id, "00000000-0000-0000-0000-000000000000")).toBe(true);
    expect(takes(id, "ffffffff-ffff-ffff-ffff-ffffffffffff")).toBe(true);
  });

  it.each(["", "1", "0198a000000070008000000000000001", "{0198a000-0000-7000-8000-000000000001}", 7, null])(
    "is not %j",
    (value) => expect(takes(id, value)).toBe(false),
  );
});

describe("a name", () => {
  it("is 1 to 200 characters, trimmed", () => {
    expect(name.parse("  Grove ")).toBe("Grove");
    expect(takes(name, "x".repeat(200))).toBe(true);
    expect(takes(name, "x".repeat(201))).toBe(false);
    expect(takes(name, "   ")).toBe(false);
  });

  it("may be in any script", () => {
    for (const value of ["日本語", "Ελληνικά", "🌳", "O'Brien; DROP TABLE"])
      expect(name.parse(value)).toBe(value);
  });

  it.each([NUL, HALF_A_PAIR, "two\nlines", "two\rlines"])("is not %j", (value) =>
    expect(takes(name, value)).toBe(false),
  );
});

describe("text", () => {
  it("is kept as it is, up to its length", () => {
    expect(text(20).parse("  two\nlines ")).toBe("  two\nlines ");
    expect(takes(text(3), "four")).toBe(false);
  });

  it.each([NUL, HALF_A_PAIR])("is not %j", (value) => expect(takes(text(20), value)).toBe(false));
});

it("PostgreSQL can store every accepted line or text", () => {
  const anyString = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });
  for (const schema of [line(500), text(500), name, branchName])
    fc.assert(
      fc.property(anyString, (value) => {
        const parsed = schema.safeParse(value);
        if (parsed.success) expect(parsed.data.isWellFormed() && !parsed.data.includes("\0")).toBe(true);
      }),
    );
});

describe("slugs", () => {
  it.each(["grove", "grove-2", "a", "x".repeat(80)])("Grove makes %j", (value) => {
    expect(takes(slug, value)).toBe(true);
    expect(takes(projectSlug, value)).toBe(true);
  });

  it.each(["Grove", "my.repo", "my_repo", "v1~2", "a--b", "a-"])(
    "may be %j for a project, although Grove never makes such a slug",
    (value) => {
      expect(takes(slug, value)).toBe(false);
      expect(takes(projectSlug, value)).toBe(true);
    },
  );

  it.each(["", "-a", ".", "..", "a/b", "a b", "a%2e", "é", "x".repeat(81), "a\n"])("are not %j", (value) => {
    expect(takes(slug, value)).toBe(false);
    expect(takes(projectSlug, value)).toBe(false);
  });
});

it("a branch's name does not begin with a hyphen, which git would take for an option", () => {
  expect(takes(branchName, "feature/one")).toBe(true);
  expect(takes(branchName, "--upload-pack=x")).toBe(false);
  expect(takes(branchName, " -d")).toBe(false);
});

it("an e-mail address is trimmed, lower-cased and at most 254 characters", () => {
  expect(email.parse(" Ada@Example.COM ")).toBe("ada@example.com");
  expect(takes(email, `${"a".repeat(243)}@example.com`)).toBe(false);
  expect(takes(email, "ada@")).toBe(false);
});

describe("a page", () => {
  it("has 1 to 1000 items, by default 1000", () => {
    expect(page.limit.parse(undefined)).toBe(1000);
    for (const limit of [0, 1001, 1.5, "10"]) expect(takes(page.limit, limit)).toBe(false);
  });
});

describe("a JSON object", () => {
  it("is kept as it is", () => {
    const value = { branchName: "main", nested: { list: [1, null, true, "日本"] } };
    expect(jsonObject.parse(value)).toEqual(value);
  });

  it.each([[[]], ["{}"], [null], [1]])("is not %j", (value) => expect(takes(jsonObject, value)).toBe(false));

  it("is at most 64 KiB when serialized, in bytes and not in characters", () => {
    const frame = JSON.stringify({ a: "" }).length;
    expect(takes(jsonObject, { a: "x".repeat(JSON_OBJECT_LIMITS.bytes - frame) })).toBe(true);
    expect(takes(jsonObject, { a: "x".repeat(JSON_OBJECT_LIMITS.bytes - frame + 1) })).toBe(false);
    expect(takes(jsonObject, { a: "é".repeat(JSON_OBJECT_LIMITS.bytes / 2) })).toBe(false);
  });

  it("is at most 32 levels deep, itself included", () => {
    expect(takes(jsonObject, { a: nested(JSON_OBJECT_LIMITS.depth - 1) })).toBe(true);
    expect(takes(jsonObject, { a: nested(JSON_OBJECT_LIMITS.depth) })).toBe(false);
  });

  it.each([NUL, HALF_A_PAIR])("contains %j neither as a value nor as a key, at any depth", (value) => {
    expect(takes(jsonObject, { a: [{ b: value }] })).toBe(false);
    expect(takes(jsonObject, { a: [{ [value]: 1 }] })).toBe(false);
  });
});

describe("a bomb of half a million brackets", () => {
  const bomb = nested(500_000);

  it("is refused like any other bad value, without overflowing the stack", () => {
    expect(takes(jsonObject, { a: bomb })).toBe(false);
    expect(takes(jsonValue, bomb)).toBe(false);
  });
});

it("a device's result is at most 64 levels deep and storable", () => {
  expect(takes(jsonValue, nested(64))).toBe(true);
  expect(takes(jsonValue, nested(65))).toBe(false);
  for (const value of [NUL, HALF_A_PAIR, { [NUL]: 1 }]) expect(takes(jsonValue, value)).toBe(false);
});
