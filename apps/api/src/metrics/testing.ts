import { readFileSync } from "node:fs";

export const metricsToken = "a token of sixteen characters or more";

const observe = new URL("../../../../tooling/deploy/observe/", import.meta.url);

/** A file of tooling/deploy/observe. */
export const observeFile = (name: string) => readFileSync(new URL(name, observe), "utf8");

/** The alerts' expressions by name, one line each. */
export const alerts = new Map(
  [...observeFile("alerts.yml").matchAll(/- alert: (\w+)\n +expr: (.+)\n/g)].map(
    ([, name = "", expr = ""]) => [name, expr],
  ),
);

/** The response of an instance's /metrics. */
export async function scrape(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  return (await fetch(`${url}/metrics`, { headers })).text();
}

/** The sum of a metric's samples whose labels contain this text. */
export function sample(text: string, name: string, labels = ""): number {
  const lines = text
    .split("\n")
    .filter((line) => /^[{ ]/.test(line.slice(name.length)) && line.startsWith(name));
  const values = lines
    .filter((line) => line.includes(labels))
    .map((line) => Number(line.slice(line.lastIndexOf(" "))));
  return values.reduce((sum, value) => sum + value, 0);
}

/** The names of all metrics of a response. */
export const namesIn = (text: string) =>
  new Set([...text.matchAll(/^# HELP (\w+)/gm)].map(([, name = ""]) => name));
