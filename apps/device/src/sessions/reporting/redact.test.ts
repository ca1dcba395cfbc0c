import { expect, it } from "vitest";
import { redactor } from "./redact";

const env = {
  DEPLOY: "hunter2hunter2",
  API_TOKEN: 'quote"and\nbreak',
  LONGER_TOKEN: "hunter2hunter2-and-more",
  PATH: "/usr/local/bin:/usr/bin",
  SHORT_KEY: "abc",
};
const redact = redactor(env, ["DEPLOY"]);

it("replaces the project's secrets, and variables that are named like secrets", () => {
  expect(redact("deploy hunter2hunter2 now")).toBe("deploy [redacted] now");
  expect(redact("deploy hunter2hunter2-and-more")).toBe("deploy [redacted]");
  expect(redact(`x ${env.API_TOKEN} y`)).toBe("x [redacted] y");
});

it("replaces a secret in JSON, where its quotes and line breaks are escaped", () => {
  expect(redact(JSON.stringify({ content: `a ${env.API_TOKEN} b` }))).toBe('{"content":"a [redacted] b"}');
});

it("replaces credentials of known forms", () => {
  expect(redact("ghp_0123456789012345678901 and AKIA0123456789ABCDEF")).toBe("[redacted] and [redacted]");
});

it("keeps other variables, and values that would hide ordinary words", () => {
  expect(redact("ls /usr/local/bin:/usr/bin abc")).toBe("ls /usr/local/bin:/usr/bin abc");
});
