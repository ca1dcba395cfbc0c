import cookie from "@fastify/cookie";
import Fastify from "fastify";
import { afterAll, expect, it } from "vitest";
import { presentedSecret } from "./credential";

const server = Fastify();
afterAll(() => server.close());
server.decorate("sessionCookieName", "grove_session");
await server.register(cookie);
server.get("/", async (request) => ({ presented: presentedSecret(request) }));

const presented = async (headers: Record<string, string>) =>
  (await server.inject({ method: "GET", url: "/", headers })).json().presented;

const cookieHeader = { cookie: "other=1; grove_session=from-cookie" };

it.each([
  ["nothing", {}, null],
  ["another cookie", { cookie: "other=1" }, null],
  ["the cookie", cookieHeader, { secret: "from-cookie", via: "cookie" }],
  ["a Bearer token", { authorization: "Bearer from-bearer" }, { secret: "from-bearer", via: "header" }],
  [
    "a scheme in lower case",
    { authorization: "bearer  from-bearer " },
    { secret: "from-bearer", via: "header" },
  ],
  ["an API key", { "x-api-key": "from-key" }, { secret: "from-key", via: "header" }],
  [
    "another scheme",
    { authorization: "Basic dTpw", ...cookieHeader },
    { secret: "from-cookie", via: "cookie" },
  ],
])("reads %s", async (_, headers, expected) => {
  expect(await presented(headers)).toEqual(expected);
});

it("lets the Bearer token decide, then the API key, then the cookie", async () => {
  const key = { "x-api-key": "from-key", ...cookieHeader };
  expect(await presented(key)).toEqual({ secret: "from-key", via: "header" });
  expect(await presented({ authorization: "Bearer from-bearer", ...key })).toEqual({
    secret: "from-bearer",
    via: "header",
  });
});

it.each(["Bearer", "Bearer ", "Bearer nonsense", "bearer \u00ff"])(
  "never falls back from %j",
  async (authorization) => {
    expect(await presented({ authorization, ...cookieHeader })).toMatchObject({ via: "header" });
  },
);
