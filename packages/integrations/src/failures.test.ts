import { integrationProvider } from "@grove/schemas";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { ProviderError } from "./errors";
import { Integrations } from "./integrations";
import { type Reply, useProviders } from "./testing";

const { servers, options, access } = await useProviders();
const integrations = new Integrations(options);
afterAll(() => integrations.close());

beforeEach(() => {
  for (const server of Object.values(servers)) server.override = undefined;
});

async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

const answers: [string, Reply, Partial<ProviderError>][] = [
  [
    "401",
    { status: 401, json: { message: "Bad credentials" } },
    { failure: "unauthorized", detail: "Bad credentials" },
  ],
  ["403", { status: 403, json: { message: "Not yours" } }, { failure: "forbidden", detail: "Not yours" }],
  ["404", { status: 404, json: { message: "Not Found" } }, { failure: "not_found" }],
  ["422", { status: 422, json: { message: "Validation Failed" } }, { failure: "refused" }],
  [
    "429 with Retry-After",
    { status: 429, headers: { "retry-after": "90" }, json: { message: "Slow down" } },
    { failure: "rate_limited", retryAfterSeconds: 90 },
  ],
  ["429 without", { status: 429, json: {} }, { failure: "rate_limited", retryAfterSeconds: 60 }],
  ["500", { status: 500, text: "<h1>Oops</h1>" }, { failure: "unavailable", detail: "status 500" }],
  ["503", { status: 503, json: { message: "Service Unavailable" } }, { failure: "unavailable" }],
  ["truncated JSON", { json: { data: "x".repeat(500) }, cut: true }, { failure: "bad_answer" }],
  ["malformed JSON", { text: '{"data": [1, ' }, { failure: "bad_answer" }],
  [
    "a page of HTML",
    { text: "<html></html>", headers: { "content-type": "text/html" } },
    { failure: "bad_answer" },
  ],
  ["JSON of another form", { json: { surprise: true } }, { failure: "bad_answer" }],
  ["nothing", { text: "" }, { failure: "bad_answer" }],
  ["a list", { json: [] }, { failure: "bad_answer" }],
  ["an answer too long", { json: { data: "x".repeat(11 * 1024 * 1024) } }, { failure: "bad_answer" }],
  [
    "a redirect to elsewhere",
    { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } },
    { failure: "bad_answer" },
  ],
];

describe.each(integrationProvider.options)("%s", (provider) => {
  it.each(answers)("answers %s", async (_, reply, expected) => {
    servers[provider].override = () => reply;
    expect(await failureOf(integrations.account(access[provider]))).toMatchObject(expected);
  });

  it("does not answer at all", async () => {
    const impatient = new Integrations({ ...options, callMs: 300 });
    servers[provider].override = () => ({ hang: true });
    const error = await failureOf(impatient.account(access[provider]));
    expect(error).toMatchObject({ failure: "unavailable", detail: "it did not answer in time" });
    await impatient.close();
  });

  it("is not there", async () => {
    const nowhere = { ...options, apiUrls: { [provider]: "http://127.0.0.1:1/" } };
    const lost = new Integrations(nowhere);
    const baseUrl = access[provider].baseUrl === null ? null : "http://127.0.0.1:1";
    const error = await failureOf(lost.account({ ...access[provider], baseUrl }));
    expect(error).toMatchObject({ failure: "unavailable", detail: "it could not be reached" });
    await lost.close();
  });

  it("answers again after an outage, or a limit that ends immediately", async () => {
    const bad: Reply[] = [{ status: 429, headers: { "retry-after": "0" }, json: {} }];
    // A failed POST may have had an effect, so it is not repeated.
    if (!["linear", "slack"].includes(provider)) bad.push({ status: 502, text: "" });
    servers[provider].override = () => bad.shift();
    expect(await integrations.account(access[provider])).toMatchObject({ name: expect.any(String) });
    expect(bad).toEqual([]);
  });

  it("repeats a secret, which is redacted", async () => {
    const { credentials } = access[provider];
    const secret = credentials.type === "token" ? credentials.token : "";
    servers[provider].override = () => ({ status: 403, json: { message: `no: ${secret}\nfoo` } });
    expect(await failureOf(integrations.account(access[provider]))).toMatchObject({
      failure: "forbidden",
      detail: "no: [redacted] foo",
    });
  });

  it("refuses wrong credentials", async () => {
    const wrong = {
      ...access[provider],
      credentials: { type: "token", token: "wrong", email: "a@b.example" } as const,
    };
    expect(await failureOf(integrations.account(wrong))).toMatchObject({ failure: "unauthorized" });
  });
});
