import { expect, it } from "vitest";
import { TypingUsers } from "./typingUsers";

const typing = (userId: string) => ({
  kind: "notification" as const,
  key: "session",
  detail: `typing ${userId}`,
});

it("reports each user once, and leaves other announcements to the reading", () => {
  const users = new TypingUsers();
  expect(users.add(typing("ada"))).toBe(true);
  expect(users.add(typing("ada"))).toBe(false);
  expect(users.add(typing("bob"))).toBe(true);
  expect(users.take()).toEqual(["ada", "bob"]);
  expect(users.take()).toEqual([]);
  expect(users.add({ kind: "notification", key: "session", detail: "" })).toBe(true);
  expect(users.add({ kind: "resync" })).toBe(true);
  expect(users.take()).toEqual([]);
});
