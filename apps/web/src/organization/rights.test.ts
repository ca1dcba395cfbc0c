import { expect, it } from "vitest";
import { mayNotChange, mayNotLeave, notAdmin, notOwner } from "./rights";

const owner = { userId: "1", role: "owner" } as const;
const other = { userId: "2", role: "owner" } as const;
const admin = { userId: "3", role: "admin" } as const;
const member = { userId: "4", role: "member" } as const;
const all = [owner, admin, member];

it("lets admins change members and admins, and only owners an owner", () => {
  expect(mayNotChange(admin, member, all)).toBeUndefined();
  expect(mayNotChange(admin, admin, all)).toBeUndefined();
  expect(mayNotChange(admin, owner, [...all, other])).toContain("owners");
  expect(mayNotChange(owner, other, [...all, other])).toBeUndefined();
  expect(mayNotChange(member, member, all)).toContain("admins");
});

it("keeps the last owner", () => {
  expect(mayNotChange(owner, owner, all)).toContain("only owner");
  expect(mayNotLeave(owner, all)).toContain("only owner");
  expect(mayNotLeave(owner, [...all, other])).toBeUndefined();
  expect(mayNotLeave(member, all)).toBeUndefined();
});

it("knows who is an admin, and who an owner", () => {
  expect([owner, admin, member].map((each) => notAdmin(each) === undefined)).toEqual([true, true, false]);
  expect([owner, admin, member].map((each) => notOwner(each) === undefined)).toEqual([true, false, false]);
});
