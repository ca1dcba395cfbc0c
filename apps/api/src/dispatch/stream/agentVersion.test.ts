import { expect, it } from "vitest";
import { isOutdated, LEAST_AGENT_VERSION } from "./agentVersion";

it.each([
  LEAST_AGENT_VERSION,
  `${LEAST_AGENT_VERSION}-beta.1`,
  `v${LEAST_AGENT_VERSION}`,
  "0.10.0",
  "1.0.0",
  "10.0.0",
])("works with %s", (version) => expect(isOutdated(version)).toBe(false));

it.each(["0.0.0", "0.0.99", "0.0.1-test", "1", "", "newest"])("counts %j as too old", (version) =>
  expect(isOutdated(version)).toBe(true),
);
