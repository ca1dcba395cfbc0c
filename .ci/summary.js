/**
 * `node .ci/summary.js <directory>` reads the reports that Vitest's reporters wrote there: `<suite>.<process>.json` with
 * the results, and `.errors` with the errors outside of any test. It prints the name, the first line of the reason and
 * the place of each failure, the last lines of a suite that failed without any, and at last `N passed, N failed`. Exits
 * with 1 if no test ran.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A log viewer may keep only the end of a long log, so the list is short. */
const MAX_NAMED = 40;

const [directory = ""] = process.argv.slice(2);
const read = (extension) =>
  readdirSync(directory)
    .filter((name) => name.endsWith(extension))
    .map((name) => ({
      suite: name.slice(0, name.indexOf(".")),
      content: JSON.parse(readFileSync(join(directory, name), "utf8")),
    }));
const reports = read(".json").map(({ suite, content }) => ({ suite, ...content }));

/** The output of all suites, as Turborepo prints it: each line begins with `@grove/<suite>:test: `. */
const output = join(directory, "output.log");
const lines = existsSync(output) ? readFileSync(output, "utf8").split("\n") : [];

const firstLine = (text) => text.split("\n").find((line) => line.trim() !== "") ?? "";
/** Returns `x.test.ts:12:3`: the line of the test at which it failed. */
const placeOf = (text) => /[^\s/(]+\.test\.tsx?:\d+:\d+/.exec(text)?.[0] ?? "";
const outside = read(".errors").flatMap(({ suite, content }) =>
  content.map(({ message, stack = "" }) => ({
    title: `${suite}: outside of any test`,
    reason: `${message} ${stack}`.replaceAll("\n", " "),
    place: placeOf(stack),
  })),
);
const failed = reports.flatMap(({ suite, testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failedTests = assertionResults.filter(({ status }) => status === "failed");
    const file = name.slice(name.lastIndexOf("/src/") + 1);
    // A file that could not be loaded has no tests.
    if (message !== "") return [{ title: `${suite}: ${file}`, reason: firstLine(message), place: "" }];
    return failedTests.map(({ fullName, failureMessages }) => ({
      title: `${suite}: ${file} > ${fullName.trim()}`,
      reason: firstLine(failureMessages[0] ?? ""),
      place: placeOf(failureMessages[0] ?? ""),
    }));
  }),
);
const failures = [...outside, ...failed];
for (const { title, reason, place } of failures.slice(0, MAX_NAMED))
  process.stdout.write(`FAIL ${title}\n  ${place} ${reason.slice(0, 1_000)}\n`);
if (failures.length > MAX_NAMED) process.stdout.write(`… and ${failures.length - MAX_NAMED} more\n`);

const suites = lines.flatMap((line) => /^ *@grove\/(.+)#test: +ERROR /.exec(line)?.[1] ?? []);
for (const suite of suites) {
  if (failures.some(({ title }) => title.startsWith(`${suite}:`))) continue;
  const prefix = `@grove/${suite}:test:`;
  const last = lines.filter((line) => line.startsWith(prefix)).slice(-MAX_NAMED);
  process.stdout.write(`FAIL ${suite}: its test command failed, and no test did. Its last lines:\n`);
  process.stdout.write(`${last.map((line) => line.slice(prefix.length)).join("\n")}\n`);
}

const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
const passed = sum("numPassedTests");
if (passed === 0) process.stdout.write("No test ran.\n");
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
process.exitCode = passed === 0 ? 1 : 0;
