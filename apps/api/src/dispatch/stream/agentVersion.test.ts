import { expect, it } from "vitest";
import { isOutdated, MIN_AGENT_VERSION } from "./agentVersion";

it.each([
  MIN_AGENT_VERSION,
  `${MIN_AGENT_VERSION}-beta.1`,
  `v${MIN_AGENT_VERSION}`,
  "0.10.0",
  "1.0.0",
  "10.0.0",
])("works with %s", (version) => expect(isOutdated(version)).toBe(false));

it.each(["0.0.0", "0.0.99", "0.0.1-test", "1", "", "newest"])("counts %j as too old", (version) =>
  expect(isOutdated(version)).toBe(true),
);
