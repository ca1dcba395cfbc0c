/**
 * `node .ci/summary.js <directory>` reads the reports that Vitest's JSON reporter wrote there, prints the name, the
 * first line of the reason and the place of each failure, and at last `N passed, N failed`. Exits with 1 if no test
 * ran.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A log viewer may keep only the end of a long log, so the list is short. */
const MAX_NAMED = 40;

const [directory = ""] = process.argv.slice(2);
const reports = readdirSync(directory).map((name) => ({
  suite: name.replace(/\.\d+\.json$/, ""),
  ...JSON.parse(readFileSync(join(directory, name), "utf8")),
}));

const firstLine = (text) => text.split("\n").find((line) => line.trim() !== "") ?? "";
/** Returns `x.test.ts:12:3`: the line of the test at which it failed. */
const placeOf = (text) => /[^\s/(]+\.test\.tsx?:\d+:\d+/.exec(text)?.[0] ?? "";
const failures = reports.flatMap(({ suite, testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const file = name.slice(name.lastIndexOf("/src/") + 1);
    // A file that could not be loaded has no tests.
    if (message !== "") return [{ title: `${suite}: ${file}`, reason: firstLine(message), place: "" }];
    return failed.map(({ fullName, failureMessages }) => ({
      title: `${suite}: ${file} > ${fullName.trim()}`,
      reason: firstLine(failureMessages[0] ?? ""),
      place: placeOf(failureMessages[0] ?? ""),
    }));
  }),
);
for (const { title, reason, place } of failures.slice(0, MAX_NAMED))
  process.stdout.write(`FAIL ${title}\n  ${place} ${reason.slice(0, 1_000)}\n`);
if (failures.length > MAX_NAMED) process.stdout.write(`… and ${failures.length - MAX_NAMED} more\n`);

const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
const passed = sum("numPassedTests");
if (passed === 0) process.stdout.write("No test ran.\n");
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = passed === 0 ? 1 : 0;
