import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { useApi } from "@grove/test-api";
import { startChromium } from "@grove/testing/chromium";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { build } from "tsup";
import { expect, it, onTestFinished } from "vitest";

const page = createServer();
page.listen(0, "127.0.0.1");
await once(page, "listening");
const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;

const api = useApi({ WEB_ORIGINS: origin });

/** The page's script, bundled as for a frontend. */
async function bundle(settings: object): Promise<string> {
  const directory = await temporaryDirectory();
  await build({
    config: false,
    entry: { page: fileURLToPath(new URL("./browser.fixture.ts", import.meta.url)) },
    outDir: directory,
    platform: "browser",
    format: "iife",
    noExternal: [/.*/],
    define: { settings: JSON.stringify(settings) },
    silent: true,
  });
  return readFile(join(directory, "page.global.js"), "utf8");
}

/** Serves the page and collects its `reports`. */
function serve(script: string): { reports: Record<string, unknown>[] } {
  const reports: Record<string, unknown>[] = [];
  page.on("request", (request, response) => {
    const isPage = request.url === "/";
    void text(request).then((body) => {
      if (request.url === "/report") reports.push(JSON.parse(body));
      response.setHeader("content-type", isPage ? "text/html" : "text/plain");
      response.end(isPage ? `<!doctype html><script type="module">${script}</script>` : "");
    });
  });
  onTestFinished(() => {
    page.close();
    page.closeAllConnections();
  });
  return { reports };
}

it("works in a browser: with its cookie, in batches, and with events that outlast a restart", async () => {
  const { client, email, password, organizationId } = await api.signUp("Ada");
  const { reports } = serve(await bundle({ apiUrl: api.url, email, password, organizationId }));
  const received = (report: object) =>
    expect.poll(() => reports).toContainEqual(expect.objectContaining(report));

  const browser = await startChromium();
  onTestFinished(() => browser.stop());
  await fetch(`${browser.url}/json/new?${encodeURIComponent(origin)}`, { method: "PUT" });

  await received({ signedIn: 200, readableCookie: "" });
  await received({
    user: email,
    organizations: [organizationId],
    tasks: 0,
    made: "Made by the page",
    requests: ["user.get", "organization.list,task.list", "task.create"],
  });

  await received({ watching: true });
  const create = (title: string) => client.task.create.mutate({ organizationId, title });
  await create("Before");
  await received({ event: "created", title: "Before" });
  await api.stop("SIGKILL");
  await api.start();
  await create("After");
  await received({ event: "created", title: "After" });

  const events = reports.filter(({ event }) => event !== undefined).map(({ title }) => title);
  expect(events).toEqual(["Before", "After"]);
  expect(reports.filter(({ error }) => error !== undefined)).toEqual([]);
});
