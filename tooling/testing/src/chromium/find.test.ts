import { afterEach, describe, expect, it, vi } from "vitest";
import { browserProjects, unlessBrowser } from "../suite/browsers.js";
import { startChromium } from "./index";
import { presentChromiums } from "./present.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const namesOf = (projects: ReturnType<typeof browserProjects>) =>
  projects.map((project) =>
    typeof project === "object" && "test" in project ? project.test?.name : project,
  );

it("has a project for each available browser, and one for tests that need none", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(namesOf(browserProjects({ plain: [] }))).toEqual(["plain", ...presentChromiums()]);
  expect(write).toHaveBeenCalledTimes(presentChromiums().length === 0 ? 1 : 0);
});

it("shows the output of a CHROMIUM_PATH program that does not start", async () => {
  vi.stubEnv("CHROMIUM_PATH", "/bin/ls");
  await expect(startChromium()).rejects.toThrow(/Chromium \(\/bin\/ls\) did not start\. .*\n.*ls:/);
});

// On other systems than Linux, a browser is also searched outside PATH.
describe.runIf(process.platform === "linux")("a machine without a browser of its own", () => {
  it("uses the bundled one, or reports what to do if there is none", async () => {
    vi.stubEnv("CHROMIUM_PATH", "");
    vi.stubEnv("PATH", "/nowhere");
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(presentChromiums()).not.toContain("installed");
    expect(namesOf(browserProjects({ plain: [] }))).toEqual(["plain", ...presentChromiums()]);
    expect(unlessBrowser(["a.test.ts"])).toEqual(presentChromiums().length === 0 ? ["a.test.ts"] : []);
    await expect(startChromium({ kind: "installed" })).rejects.toThrow(
      "There is no Chromium. Install one, or set CHROMIUM_PATH to its program.",
    );
  });
});
