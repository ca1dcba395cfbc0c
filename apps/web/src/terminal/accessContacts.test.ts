import type { Member } from "@grove/schemas";
import { expect, it } from "vitest";
import { accessContacts } from "./accessContacts";

const member = (name: string, role: Member["role"] = "member"): Member => ({
  userId: name,
  name,
  email: `${name}@example.com`,
  image: "",
  role,
  joinedAt: "2026-01-01T00:00:00.000Z",
});

it("lists at most five members who may read a session, closest first", () => {
  const members = [member("Grace", "owner"), member("Bob"), member("Cem", "admin"), member("Ada")];
  expect(accessContacts(members, { startedBy: "Ada", deviceOwner: "Bob" })).toBe(
    "Ada (started it), Bob (owns the machine), Grace (owner), or Cem (admin)",
  );
  expect(accessContacts(members, { startedBy: "Grace", deviceOwner: "Grace" })).toBe(
    "Grace (started it) or Cem (admin)",
  );
  const admins = Array.from({ length: 9 }, (_, n) => member(`A${n}`, "admin"));
  expect(accessContacts(admins, { startedBy: null, deviceOwner: undefined })).not.toContain("A5");
});
