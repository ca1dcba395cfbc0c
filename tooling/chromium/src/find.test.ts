import { afterEach, describe, expect, it, vi } from "vitest";
import { startChromium } from "./index";
import { presentChromiums } from "./present.js";
import { browserProjects, unlessBrowser } from "./projects.js";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const namesOf = (projects: ReturnType<typeof browserProjects>) =>
  projects.map((project) =>
    typeof project === "object" && "test" in project ? project.test?.name : project,
  );

it("has a project for each browser that is there, and one for what needs none", () => {
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(namesOf(browserProjects({ plain: [] }))).toEqual(["plain", ...presentChromiums()]);
  expect(said).toHaveBeenCalledTimes(presentChromiums().length === 0 ? 1 : 0);
});

it("shows what the program of CHROMIUM_PATH said when it does not start", async () => {
  vi.stubEnv("CHROMIUM_PATH", "/bin/ls");
  await expect(startChromium()).rejects.toThrow(/Chromium \(\/bin\/ls\) did not start\. .*\n.*ls:/);
});

// Elsewhere than on Linux a browser is also looked for outside of PATH.
describe.runIf(process.platform === "linux")("a machine without a browser of its own", () => {
  it("has the bundled one or none, and says what to do", async () => {
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
