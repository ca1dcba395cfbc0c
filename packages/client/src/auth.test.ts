import { expect, it } from "vitest";
import { createAuthClient } from "./auth";
import { errorData } from "./index";
import { listen } from "./testing";

/** An API that gives every request this answer, and the requests that it has seen. */
async function answering(status: number, answer: object) {
  const seen: { path: string | undefined; method: string | undefined; authorization: string | undefined }[] =
    [];
  const apiUrl = await listen(({ url: path, method, headers: { authorization } }, response) => {
    seen.push({ path, method, authorization });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  return { apiUrl, seen };
}

it("calls the routes of sign-in, with the current token", async () => {
  const { apiUrl, seen } = await answering(200, { success: true });
  let token: string | undefined = "grs_first";
  const auth = createAuthClient({ apiUrl: `${apiUrl}/`, token: () => token });
  await auth.options();
  token = undefined;
  await auth.signOut();
  expect(seen).toEqual([
    { path: "/api/auth/options", method: "GET", authorization: "Bearer grs_first" },
    { path: "/api/auth/sign-out", method: "POST", authorization: undefined },
  ]);
});

it("throws the errors that the client throws", async () => {
  const data = { code: "UNAUTHORIZED", httpStatus: 401, requestId: "1", reason: "invalid_credentials" };
  const { apiUrl } = await answering(401, { error: { message: "Wrong.", code: -32001, data } });
  const auth = createAuthClient({ apiUrl });
  const error = await auth.signIn({ email: "a@b.example", password: "x" }).catch((cause: unknown) => cause);
  expect(errorData(error)).toEqual(data);
  expect(String(error)).toContain("Wrong.");
});
