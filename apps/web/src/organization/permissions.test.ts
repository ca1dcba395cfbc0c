import { expect, it } from "vitest";
import { whyCannotChange, whyCannotLeave, whyNotAdmin, whyNotOwner } from "./permissions";

const owner = { userId: "1", role: "owner" } as const;
const other = { userId: "2", role: "owner" } as const;
const admin = { userId: "3", role: "admin" } as const;
const member = { userId: "4", role: "member" } as const;
const all = [owner, admin, member];

it("lets admins change members and admins, and needs an owners an owner", () => {
  expect(whyCannotChange(admin, member, all)).toBeUndefined();
  expect(whyCannotChange(admin, admin, all)).toBeUndefined();
  expect(whyCannotChange(admin, owner, [...all, other])).toContain("owners");
  expect(whyCannotChange(owner, other, [...all, other])).toBeUndefined();
  expect(whyCannotChange(member, member, all)).toContain("admins");
});

it("keeps the last owner", () => {
  expect(whyCannotChange(owner, owner, all)).toContain("needs an owner");
  expect(whyCannotLeave(owner, all)).toContain("needs an owner");
  expect(whyCannotLeave(owner, [...all, other])).toBeUndefined();
  expect(whyCannotLeave(member, all)).toBeUndefined();
});

it("knows who is an admin, and who an owner", () => {
  expect([owner, admin, member].map((each) => whyNotAdmin(each) === undefined)).toEqual([true, true, false]);
  expect([owner, admin, member].map((each) => whyNotOwner(each) === undefined)).toEqual([true, false, false]);
});
