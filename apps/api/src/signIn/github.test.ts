import { randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@grove/db";
import { signedIn } from "@grove/schemas";
import { type GitHubPerson, useGitHub } from "@grove/testing/gitHub";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { failure, password, useTestServer } from "../testing/server";
import { enterpriseEndpoints } from "./githubApi";

const publicUrl = "http://localhost:3999";
const gitHub = await useGitHub();
const webDir = await mkdtemp(join(tmpdir(), "grove-console-"));
afterAll(() => rm(webDir, { recursive: true }));
await writeFile(join(webDir, "index.html"), "<title>Grove</title>");
const server = await useTestServer({
  publicUrl,
  webOrigins: ["https://app.example.com"],
  github: { ...gitHub, endpoints: enterpriseEndpoints(gitHub.url) },
  webDir,
});
const { db } = server.database;

const someone = (email = `${newId()}@example.com`, verified = true): GitHubPerson => ({
  id: randomInt(1, 2 ** 31),
  login: "octocat",
  name: "Mona Lisa",
  avatar_url: "https://avatars.githubusercontent.com/u/1?v=4",
  emails: [
    { email: "other@users.noreply.github.com", primary: false, verified: true, visibility: null },
    { email, primary: true, verified, visibility: "private" },
  ],
});
const primaryOf = (person: GitHubPerson) => person.emails[1]?.email ?? "";

beforeEach(() => {
  gitHub.state.down = false;
  gitHub.state.endless = false;
});

/** The state that a browser keeps between requests. */
class Browser {
  cookies = new Map<string, string>();
  readonly #accept: string;

  /** @param accept the Accept header; by default, the one that a program sends */
  constructor(accept = "*/*") {
    this.#accept = accept;
  }

  async get(url: string) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url.replace(publicUrl, server.url), {
      headers: { cookie, accept: this.#accept },
      redirect: "manual",
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Follows the flow to the address that GitHub sends the browser back to. */
  async consent(query = "") {
    const toGitHub = await this.get(`${publicUrl}/api/auth/github${query}`);
    expect(toGitHub.status).toBe(302);
    const back = await this.get(toGitHub.headers.get("location") ?? "");
    return back.headers.get("location") ?? "";
  }

  async signIn(person: GitHubPerson, query = "") {
    gitHub.state.person = person;
    return this.get(await this.consent(query));
  }
}

const signIn = async (person: GitHubPerson) => {
  const response = await new Browser().signIn(person);
  return signedIn.strict().parse(await response.json());
};
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error: { data: { reason: string } } };
  return { status: response.status, reason: error.data.reason };
};

describe("sign-in with GitHub", () => {
  it("makes an account with a verified address, and finds it again under another address", async () => {
    const person = someone();
    const first = await signIn(person);
    expect(first.user).toMatchObject({
      email: primaryOf(person),
      name: "Mona Lisa",
      image: person.avatar_url,
      emailVerified: true,
    });
    const organizations = await server.client(first.token).organization.list.query();
    expect(organizations).toMatchObject([{ name: "Mona Lisa", role: "owner" }]);
    const again = await signIn({ ...someone(), id: person.id });
    expect(again.user).toEqual(first.user);
  });

  it("sends the browser to the page that it came from, with the cookie", async () => {
    const browser = new Browser();
    const response = await browser.signIn(someone(), "?redirectTo=https://app.example.com/home");
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "https://app.example.com/home",
    ]);
    expect(browser.cookies.has("grove_session")).toBe(true);
    expect(browser.cookies.has("grove_oauth")).toBe(false);
  });

  it.each([
    `blob:${publicUrl}/0`,
    "blob:https://app.example.com/0",
    "javascript:alert(1)",
    "data:text/html,x",
    `filesystem:${publicUrl}/0`,
  ])("does not send it to %s, which is not a page", async (redirectTo) => {
    const url = `${publicUrl}/api/auth/github?redirectTo=${encodeURIComponent(redirectTo)}`;
    expect((await new Browser().get(url)).status).toBe(400);
  });

  it.each(["https://evil.example/", "https://app.example.com.evil.example/"])(
    "does not send it to %s",
    async (redirectTo) => {
      const url = `${publicUrl}/api/auth/github?redirectTo=${encodeURIComponent(redirectTo)}`;
      const response = await new Browser().get(url);
      expect(await refusal(response)).toEqual({ status: 400, reason: "redirect_not_allowed" });
    },
  );

  it("uses the login if the user has no name", async () => {
    expect((await signIn({ ...someone(), name: null })).user.name).toBe("octocat");
  });
});

describe("a person at the console", () => {
  const asPerson = () => new Browser("text/html,application/xhtml+xml,*/*;q=0.8");
  const outcome = (response: Response) => [response.status, response.headers.get("location")];

  it("returns to the requested page, otherwise to the first", async () => {
    const wanted = `${publicUrl}/o/acme/tasks?view=list`;
    const query = `?redirectTo=${encodeURIComponent(wanted)}`;
    const browser = asPerson();
    expect(outcome(await browser.signIn(someone(), query))).toEqual([303, wanted]);
    expect(browser.cookies.has("grove_session")).toBe(true);
    expect(outcome(await asPerson().signIn(someone()))).toEqual([303, "/"]);
  });

  it("returns to sign-in with the reason, and keeps the page", async () => {
    gitHub.state.person = undefined;
    const browser = asPerson();
    const query = `?redirectTo=${encodeURIComponent(`${publicUrl}/o/acme/tasks?view=list`)}`;
    const refused = await browser.get(await browser.consent(query));
    expect(outcome(refused)).toEqual([
      303,
      "/sign-in?to=%2Fo%2Facme%2Ftasks%3Fview%3Dlist#error=oauth_failed",
    ]);
    gitHub.state.person = someone();
    const back = await new Browser().consent();
    expect(outcome(await asPerson().get(back))).toEqual([303, "/sign-in#error=token_invalid"]);
  });
});

describe("the state", () => {
  it("works once", async () => {
    const browser = new Browser();
    gitHub.state.person = someone();
    const back = await browser.consent();
    const kept = new Map(browser.cookies);
    expect((await browser.get(back)).status).toBe(200);
    browser.cookies = kept;
    expect(await refusal(await browser.get(back))).toEqual({ status: 400, reason: "token_invalid" });
  });

  it("works only in the browser that began", async () => {
    gitHub.state.person = someone();
    const back = await new Browser().consent();
    const victim = new Browser();
    expect(await refusal(await victim.get(back))).toMatchObject({ reason: "token_invalid" });
    await victim.consent();
    expect(await refusal(await victim.get(back))).toMatchObject({ reason: "token_invalid" });
    expect(victim.cookies.has("grove_session")).toBe(false);
  });

  it("expires, and is stored as hashes", async () => {
    const browser = new Browser();
    gitHub.state.person = someone();
    const back = await browser.consent();
    const rows = JSON.stringify(await db.selectFrom("oauth_states").selectAll().execute());
    for (const secret of [new URL(back).searchParams.get("state") ?? "?", ...browser.cookies.values()])
      expect(rows).not.toContain(secret);
    await db.updateTable("oauth_states").set({ expires_at: new Date() }).execute();
    expect(await refusal(await browser.get(back))).toMatchObject({ reason: "token_invalid" });
  });
});

describe("an account that has the address already", () => {
  it("is joined, and keeps its password, when the address is verified", async () => {
    const ada = await server.signUp("Ada");
    await db
      .updateTable("users")
      .set({ email_verified_at: new Date() })
      .where("id", "=", ada.user.id)
      .execute();
    const { user } = await signIn(someone(ada.user.email.toUpperCase()));
    expect(user).toMatchObject({ id: ada.user.id, name: "Ada" });
    await ada.client.user.get.query();
    await server.signIn(ada.user.email);
  });

  it("is taken from the person who had only typed the address", async () => {
    const squatter = await server.signUp("Squatter");
    const { organizationId } = squatter;
    const { key } = await squatter.client.apiKey.create.mutate({ organizationId, name: "ci" });
    const device = await squatter.client.device.register.mutate({
      organizationId,
      name: "a",
      platform: "linux",
    });
    const { user, token } = await signIn(someone(squatter.user.email));
    expect(user).toMatchObject({ id: squatter.user.id, emailVerified: true });
    for (const refused of await Promise.all(
      [
        squatter.client.user.get.query(),
        server.client(key).user.get.query(),
        server.client(device.apiKey).device.self.query(),
      ].map(failure),
    ))
      expect(refused).toMatchObject({ code: "UNAUTHORIZED" });
    await expect(server.signIn(squatter.user.email)).rejects.toThrow("401");
    const client = server.client(token);
    const [organization, ...more] = await client.organization.list.query();
    expect([organization?.name, more]).toEqual(["Mona Lisa", []]);
    expect(organization?.id).not.toBe(organizationId);
    expect(await failure(client.user.delete.mutate({ password }))).toMatchObject({
      reason: "invalid_credentials",
    });
  });

  it("is joined, and keeps everything, when its own session is sent along", async () => {
    const ada = await server.signUp("Ada");
    const browser = new Browser();
    browser.cookies.set("grove_session", ada.token);
    const { user } = signedIn.parse(await (await browser.signIn(someone(ada.user.email))).json());
    expect(user).toMatchObject({ id: ada.user.id, name: "Ada", emailVerified: true });
    await ada.client.organization.get.query({ organizationId: ada.organizationId });
  });

  it("stays closed when it is disabled", async () => {
    const person = someone();
    const { user } = await signIn(person);
    await db.updateTable("users").set({ disabled_at: new Date() }).where("id", "=", user.id).execute();
    expect(await refusal(await new Browser().signIn(person))).toEqual({
      status: 401,
      reason: "account_disabled",
    });
  });
});

describe("failures", () => {
  it("an address that GitHub has not verified", async () => {
    const ada = await server.signUp("Ada");
    expect(await refusal(await new Browser().signIn(someone(ada.user.email, false)))).toEqual({
      status: 403,
      reason: "email_unverified",
    });
    await ada.client.user.get.query();
  });

  it("the person refuses", async () => {
    gitHub.state.person = undefined;
    const browser = new Browser();
    expect(await refusal(await browser.get(await browser.consent()))).toEqual({
      status: 400,
      reason: "oauth_failed",
    });
  });

  it("and the browser is sent back with the reason", async () => {
    gitHub.state.person = undefined;
    const browser = new Browser();
    const back = await browser.consent("?redirectTo=https://app.example.com/home?a=b");
    const response = await browser.get(back);
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "https://app.example.com/home?a=b&error=oauth_failed",
    ]);
    expect(browser.cookies.has("grove_session")).toBe(false);
  });

  it("an invalid address", async () => {
    expect(await refusal(await new Browser().signIn(someone("nobody@localhost")))).toEqual({
      status: 400,
      reason: "oauth_failed",
    });
  });

  it("an answer that does not end", async () => {
    gitHub.state.endless = true;
    expect(await refusal(await new Browser().signIn(someone()))).toEqual({
      status: 502,
      reason: "oauth_failed",
    });
  });

  it("a code that GitHub does not know", async () => {
    gitHub.state.person = someone();
    const browser = new Browser();
    const back = new URL(await browser.consent());
    back.searchParams.set("code", "0123456789abcdef0123");
    expect(await refusal(await browser.get(back.href))).toEqual({ status: 400, reason: "oauth_failed" });
  });

  it("GitHub is down", async () => {
    gitHub.state.person = someone();
    const browser = new Browser();
    const back = await browser.consent();
    gitHub.state.down = true;
    expect(await refusal(await browser.get(back))).toEqual({ status: 502, reason: "oauth_failed" });
  });

  it("nonsense instead of a state", async () => {
    for (const query of ["", "?state=x", "?state=x&code=y", "?state=%00&code=y"])
      expect((await new Browser().get(`${publicUrl}/api/auth/github/callback${query}`)).status).toBe(400);
  });
});
