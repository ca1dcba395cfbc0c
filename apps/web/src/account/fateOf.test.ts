import { expect, it } from "vitest";
import { fateOf } from "./fateOf";

const owner = { role: "owner" } as const;
const member = { role: "member" } as const;

it("tells the end of an organization", () => {
  expect(fateOf("owner", [owner])).toBe("goes");
  expect(fateOf("owner", [owner, member])).toBe("blocks");
  expect(fateOf("owner", [owner, owner, member])).toBe("stays");
  expect(fateOf("member", [owner, member])).toBe("stays");
});
