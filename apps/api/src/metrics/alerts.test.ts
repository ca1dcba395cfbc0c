import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { alerts, metricsToken, namesIn, observeFile, scrape } from "./testing";

const server = await useTestServer({ metricsToken });
await server.signUp();
const names = namesIn(await scrape(server.url));

/** The metrics that expressions name; a histogram is named by its series. `up` is Prometheus' own. */
const metricsOf = (expressions: Iterable<string>) =>
  new Set(
    [...expressions].flatMap((expr) =>
      [...expr.matchAll(/\b((?:grove|nodejs|process)_\w+)/g)].map(([, name = ""]) =>
        names.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""),
      ),
    ),
  );

it("alerts name only metrics that exist", () => {
  expect(alerts.size).toBe(observeFile("alerts.yml").split("- alert:").length - 1);
  expect([...metricsOf(alerts.values())].filter((name) => !names.has(name))).toEqual([]);
});

it("the dashboard names only metrics that exist, and shows each of Grove's", () => {
  const { panels } = JSON.parse(observeFile("dashboard.json")) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const shown = metricsOf(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)));
  expect([...shown].filter((name) => !names.has(name))).toEqual([]);
  expect([...names].filter((name) => name.startsWith("grove_") && !shown.has(name))).toEqual([]);
});

it("the README lists each metric of Grove, and promtool's tests make each alert fire", () => {
  const readme = observeFile("README.md");
  const listed = [...readme.matchAll(/^\| `(grove_\w+)`/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...names].filter((name) => name.startsWith("grove_")).sort());
  const fired = [...observeFile("alerts.test.yml").matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
  expect([...new Set(fired)].sort()).toEqual([...alerts.keys()].sort());
});
