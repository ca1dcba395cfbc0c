import { expect, it } from "vitest";
import { password, useTestServer } from "../testing/server";
import { useSmtpServer } from "../testing/smtp";
import { makeFirstOwner } from "./firstOwner";

const smtp = await useSmtpServer();
const server = await useTestServer({
  signUp: "invite",
  smtp: { url: smtp.url, from: "Grove <grove@example.com>", service: "grove" },
});
const { db } = server.database;
const email = "ada@example.com";

const post = (route: string, body: object) =>
  fetch(`${server.url}/api/auth/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

it("creates one account on an empty server, even if several instances start; its link sets the password", async () => {
  await Promise.all([1, 2, 3].map(() => makeFirstOwner(server.services, email)));
  const { token } = await smtp.next(email);
  expect((await post("reset-password", { token, password })).status).toBe(200);
  expect(await (await post("sign-in", { email, password })).json()).toMatchObject({
    user: { email, name: "ada", emailVerified: true },
  });
  const owned = await db.selectFrom("memberships").select("role").execute();
  expect(owned).toEqual([{ role: "owner" }]);

  await makeFirstOwner(server.services, "eve@example.com");
  expect(await db.selectFrom("users").select("email").execute()).toEqual([{ email }]);
});
