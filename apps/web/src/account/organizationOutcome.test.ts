import { expect, it } from "vitest";
import { organizationOutcome } from "./organizationOutcome";

const owner = { role: "owner" } as const;
const member = { role: "member" } as const;

it("returns what happens to an organization", () => {
  expect(organizationOutcome("owner", [owner])).toBe("deleted");
  expect(organizationOutcome("owner", [owner, member])).toBe("blocking");
  expect(organizationOutcome("owner", [owner, owner, member])).toBe("kept");
  expect(organizationOutcome("member", [owner, member])).toBe("kept");
});
