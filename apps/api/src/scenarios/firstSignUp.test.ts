import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { failure, useHttpServer } from "../testing/http";
import { password } from "../testing/server";

const { post, db } = await useHttpServer({ signUp: "first" });

it("admits one of ten concurrent first sign-ups", async () => {
  const emails = Array.from({ length: 10 }, () => `${newId()}@example.com`);
  const answers = await Promise.all(
    emails.map((email) => post("/api/auth/sign-up", { email, password, name: "Ada" })),
  );
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200))
    expect(failure(answer)).toMatchObject({ status: 403, reason: "sign_up_closed" });
  expect(await db.selectFrom("users").select("id").execute()).toHaveLength(1);
});
