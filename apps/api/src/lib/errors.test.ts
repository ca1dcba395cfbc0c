import { expect, it } from "vitest";
import { errorAnswer } from "./errors";

it("a statement that took too long is reported without its text", () => {
  const timedOut = Object.assign(new Error("canceling statement due to statement timeout"), {
    code: "57014",
    where: 'SQL statement "select secret"',
  });
  const { status, body } = errorAnswer(timedOut, "r1");
  expect(status).toBe(408);
  expect(body.error.data).toMatchObject({ code: "TIMEOUT", requestId: "r1" });
  expect(JSON.stringify(body)).not.toMatch(/statement|secret/);
});
