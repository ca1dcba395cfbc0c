import { newId } from "@grove/db";
import { useGitHub } from "@grove/testing/gitHub";
import { describe, expect, it } from "vitest";
import { enterpriseEndpoints } from "../signIn/githubApi";
import { failure, useHttpServer } from "../testing/http";
import { password } from "../testing/server";

const gitHub = await useGitHub();
const github = { ...gitHub, endpoints: enterpriseEndpoints(gitHub.url) };
const { server, build, db, post, person } = await useHttpServer();
const publicUrl = "http://localhost";
const invited = await build({ signUp: "invite", publicUrl, github });
const closed = await build({ signUp: "closed", publicUrl, github });

const owner = await person("Owner");
const { organization_id: organizationId } = await db
  .selectFrom("memberships")
  .select("organization_id")
  .where("user_id", "=", owner.user.id)
  .executeTakeFirstOrThrow();

async function invite(email: string): Promise<string> {
  const response = await post(
    "/api/trpc/organization.invite",
    { organizationId, email, role: "admin" },
    { authorization: `Bearer ${owner.token}` },
  );
  return response.json().result.data.token;
}
const membershipsOf = async (userId: string) =>
  (await db.selectFrom("memberships").select("organization_id").where("user_id", "=", userId).execute()).map(
    (row) => row.organization_id,
  );
const signUp = (on: typeof server, email: string, invitationToken?: string) =>
  on.inject({
    method: "POST",
    url: "/api/auth/sign-up",
    payload: { email, password, name: "Ada", invitationToken },
  });

describe("SIGN_UP=invite", () => {
  it("admits invited people, and makes them members", async () => {
    const email = `${newId()}@example.com`;
    const token = await invite(email);
    const { user } = (await signUp(invited, email, token)).json();
    expect(await membershipsOf(user.id)).toContain(organizationId);
    expect(await membershipsOf(user.id)).toHaveLength(2);
    const [event] = await db
      .selectFrom("audit_events")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .orderBy("created_at", "desc")
      .limit(1)
      .execute();
    expect(event).toMatchObject({ action: "organization.acceptInvitation", actor_id: user.id });
  });

  it("admits no one else, and keeps nothing of their attempts", async () => {
    const email = `${newId()}@example.com`;
    expect(failure(await signUp(invited, email))).toMatchObject({
      status: 403,
      reason: "invitation_required",
    });
    expect(failure(await signUp(invited, email, "nonsense"))).toMatchObject({ status: 404 });
    const anothers = await invite(`${newId()}@example.com`);
    expect(failure(await signUp(invited, email, anothers))).toMatchObject({
      reason: "invitation_email_mismatch",
    });
    const used = await invite(email);
    await db.updateTable("invitations").set({ accepted_at: new Date() }).where("email", "=", email).execute();
    expect(failure(await signUp(invited, email, used))).toMatchObject({ reason: "invitation_not_pending" });
    expect(await db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
  });
});

it("an invitation is accepted along with an open sign-up, too", async () => {
  const email = `${newId()}@example.com`;
  const { user } = (await signUp(server, email, await invite(email))).json();
  expect(await membershipsOf(user.id)).toContain(organizationId);
});

it("an invitation does not open a closed sign-up", async () => {
  const email = `${newId()}@example.com`;
  const token = await invite(email);
  expect(failure(await signUp(closed, email, token))).toMatchObject({ reason: "sign_up_closed" });
});

it("SIGN_UP=first is closed once an account exists, also for invited users", async () => {
  const first = await build({ signUp: "first", publicUrl });
  const email = `${newId()}@example.com`;
  const token = await invite(email);
  for (const presented of [undefined, token])
    expect(failure(await signUp(first, email, presented))).toMatchObject({
      status: 403,
      reason: "sign_up_closed",
    });
  expect(await db.selectFrom("users").select("id").where("email", "=", email).execute()).toEqual([]);
});

describe("through GitHub", () => {
  async function through(on: typeof server, email: string) {
    gitHub.state.person = {
      id: Number.parseInt(newId().replaceAll("-", "").slice(-8), 16),
      login: "octocat",
      name: null,
      avatar_url: "",
      emails: [{ email, primary: true, verified: true, visibility: null }],
    };
    const start = await on.inject({ method: "GET", url: "/api/auth/github" });
    const back = (await fetch(String(start.headers.location), { redirect: "manual" })).headers.get(
      "location",
    );
    const cookies = { grove_oauth: start.cookies[0]?.value ?? "" };
    return on.inject({ method: "GET", url: back?.replace(publicUrl, "") ?? "", cookies });
  }

  it("the invited address is enough, since GitHub has verified it", async () => {
    const email = `${newId()}@example.com`;
    expect(failure(await through(invited, email))).toMatchObject({ reason: "invitation_required" });
    await invite(email);
    const { user } = (await through(invited, email)).json();
    expect(await membershipsOf(user.id)).toContain(organizationId);
    expect((await through(closed, email)).json().user.id).toBe(user.id);
  });

  it("a closed sign-up admits no new users", async () => {
    const response = await through(closed, `${newId()}@example.com`);
    expect(failure(response)).toMatchObject({ status: 403, reason: "sign_up_closed" });
  });

  it("reports that it is not set up", async () => {
    for (const url of ["/api/auth/github", "/api/auth/github/callback"])
      expect(failure(await server.inject({ method: "GET", url }))).toMatchObject({
        status: 412,
        reason: "oauth_not_configured",
      });
  });
});
