import { expect, it } from "vitest";
import { useTestServer } from "../../testing/server";

const server = await useTestServer();

it("does not exist without a token", async () => {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: "Bearer undefined" } });
  expect(answer.status).toBe(404);
});
