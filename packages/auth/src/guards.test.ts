import { roles } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { GroveError } from "./errors";
import {
  isAdmin,
  requireAdmin,
  requireDevice,
  requireDeviceUse,
  requireMemberOrDevice,
  requireMembership,
  requireScope,
  requireSession,
  requireUser,
} from "./guards";
import type {
  ApiKeyPrincipal,
  DevicePrincipal,
  PrincipalUser,
  SessionPrincipal,
} from "./principals/principal";

const user: PrincipalUser = {
  id: "0190aaaa-0000-7000-8000-000000000001",
  email: "ada@example.com",
  name: "Ada",
  image: null,
  emailVerified: true,
  createdAt: "2026-01-01T00:00:00.000Z",
};
const acme = "0190aaaa-0000-7000-8000-00000000000a";
const other = "0190aaaa-0000-7000-8000-00000000000b";

const session = (change: Partial<SessionPrincipal> = {}): SessionPrincipal => ({
  kind: "session",
  sessionId: "0190aaaa-0000-7000-8000-000000000002",
  expiresAt: new Date("2099-01-01"),
  fresh: false,
  secret: "grs_secret",
  user,
  memberships: new Map([[acme, "admin"]]),
  ...change,
});
const apiKey = (scopes: ApiKeyPrincipal["scopes"] = ["read", "write"]): ApiKeyPrincipal => ({
  kind: "api_key",
  keyId: "0190aaaa-0000-7000-8000-000000000003",
  organizationId: acme,
  scopes,
  expiresAt: null,
  user,
  memberships: new Map([[acme, "member"]]),
});
const device: DevicePrincipal = {
  kind: "device",
  deviceId: "0190aaaa-0000-7000-8000-000000000004",
  keyHash: "hash",
  organizationId: acme,
  ownerId: user.id,
  journalId: null,
  epoch: 0,
  organization: { id: acme, name: "Acme", slug: "acme" },
};

function refusal(work: () => unknown): GroveError {
  try {
    work();
  } catch (error) {
    if (error instanceof GroveError) return error;
    throw error;
  }
  throw new Error("It was allowed.");
}

describe("protected", () => {
  it("lets sessions and API keys pass", () => {
    expect(requireUser(session()).user).toBe(user);
    expect(requireUser(apiKey()).user).toBe(user);
  });

  it.each([
    ["nobody", null],
    ["a device", device],
  ])("asks %s to sign in", (_, principal) => {
    const error = refusal(() => requireUser(principal));
    expect(error).toMatchObject({ code: "UNAUTHORIZED", message: "Not authenticated. Please sign in." });
  });
});

it("requires a session where an API key is not enough", () => {
  expect(requireSession(session())).toMatchObject({ kind: "session" });
  expect(refusal(() => requireSession(apiKey()))).toMatchObject({
    code: "FORBIDDEN",
    reason: "session_required",
  });
  expect(refusal(() => requireSession(device)).code).toBe("UNAUTHORIZED");
  expect(refusal(() => requireSession(null)).code).toBe("UNAUTHORIZED");
});

describe("admin", () => {
  const as = (email: string, emailVerified = true) => session({ user: { ...user, email, emailVerified } });

  it.each(["example.com", "@example.com", "@Example.COM", " example.com "])(
    "takes the domain as %j",
    (domain) => {
      expect(requireAdmin(as("ada@example.com"), domain).user.email).toBe("ada@example.com");
      expect(isAdmin(user, domain)).toBe(true);
    },
  );

  // Contract: guards.admin
  it.each(["ada@notexample.com", "ada@sub.example.com", "ada@example.com.org", "example.com"])(
    "refuses %s",
    (email) => {
      expect(refusal(() => requireAdmin(as(email), "@example.com"))).toMatchObject({
        code: "FORBIDDEN",
        reason: "admin_required",
        message: "Admin access requires an @example.com email.",
      });
      expect(isAdmin({ ...user, email }, "@example.com")).toBe(false);
    },
  );

  it("refuses an address that is not verified", () => {
    expect(refusal(() => requireAdmin(as("ada@example.com", false), "example.com"))).toMatchObject({
      code: "FORBIDDEN",
      reason: "email_unverified",
      message: "Admin access requires an @example.com email; verify yours first.",
    });
    expect(isAdmin({ ...user, emailVerified: false }, "example.com")).toBe(false);
  });

  it.each([undefined, "", "@"])("admits no one with the domain %j", (domain) => {
    expect(refusal(() => requireAdmin(session(), domain))).toMatchObject({
      code: "FORBIDDEN",
      reason: "admin_required",
    });
    expect(isAdmin(user, domain)).toBe(false);
    expect(isAdmin({ ...user, email: "ada@" }, domain)).toBe(false);
  });

  it("refuses API keys, and asks devices and anonymous callers to sign in", () => {
    expect(refusal(() => requireAdmin(apiKey(), "example.com")).reason).toBe("session_required");
    expect(refusal(() => requireAdmin(null, "example.com")).code).toBe("UNAUTHORIZED");
    expect(refusal(() => requireAdmin(device, "example.com")).code).toBe("UNAUTHORIZED");
  });
});

describe("organization", () => {
  it("ranks the roles", () => {
    for (const [rank, role] of roles.entries())
      for (const [minRank, minRole] of roles.entries()) {
        const work = () =>
          requireMembership(session({ memberships: new Map([[acme, role]]) }), acme, minRole);
        if (rank >= minRank) expect(work()).toBe(role);
        else expect(refusal(work)).toMatchObject({ code: "FORBIDDEN", reason: "role_required" });
      }
  });

  it.each([session(), apiKey()])("refuses other organizations ($kind)", (principal) => {
    expect(refusal(() => requireMembership(principal, other, "member"))).toMatchObject({
      code: "FORBIDDEN",
      reason: "not_a_member",
    });
  });

  it("lets a device into its own organization only", () => {
    expect(requireMemberOrDevice(device, acme, "owner")).toBe("device");
    expect(requireMemberOrDevice(session(), acme, "member")).toBe("admin");
    for (const principal of [device, session(), apiKey()])
      expect(refusal(() => requireMemberOrDevice(principal, other, "member")).reason).toBe("not_a_member");
    expect(refusal(() => requireMemberOrDevice(session(), acme, "owner")).reason).toBe("role_required");
  });
});

it("limits only API keys to their scopes", () => {
  requireScope(apiKey(["read"]), "read");
  requireScope(session(), "write");
  requireScope(device, "write");
  expect(refusal(() => requireScope(apiKey(["read"]), "write"))).toMatchObject({
    code: "FORBIDDEN",
    reason: "scope_required",
  });
  expect(refusal(() => requireScope(apiKey(["write"]), "read")).reason).toBe("scope_required");
});

it("lets only devices do a device's work", () => {
  expect(requireDevice(device)).toBe(device);
  expect(refusal(() => requireDevice(null)).code).toBe("UNAUTHORIZED");
  for (const principal of [session(), apiKey()])
    expect(refusal(() => requireDevice(principal)).code).toBe("FORBIDDEN");
});

it("lets a user use their own devices and shared ones", () => {
  requireDeviceUse(session(), { ownerId: user.id, shared: false });
  requireDeviceUse(apiKey(), { ownerId: other, shared: true });
  expect(refusal(() => requireDeviceUse(session(), { ownerId: other, shared: false }))).toMatchObject({
    code: "FORBIDDEN",
    reason: "device_owner_required",
  });
});
