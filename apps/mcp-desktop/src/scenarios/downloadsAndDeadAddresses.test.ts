import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { timeoutSignal } from "@grove/signals";
import { freePort } from "@grove/testing/freePort";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a download", () => {
  it("is reported by the click that caused it", async () => {
    await app.do("get_window_info");
    const signal = timeoutSignal(5_000);
    const link = await app.desktop?.link(signal);
    const downloadPath = await temporaryDirectory();
    const params = { behavior: "allow", downloadPath, eventsEnabled: true } as const;
    await link?.connection.browser.send("Browser.setDownloadBehavior", params, signal);
    const host = await serve((_, response) => {
      response.setHeader("content-disposition", "attachment; filename=sheet.csv").end("a,b\n");
    });
    await app.show(`<a href="${app.file("/data.csv", "a,b\n", "text/csv")}" download="report.csv">Named</a>
      <a href="http://${host}/">Attached</a>
      <button onclick="location.href = 'http://${host}/'">Script</button>
      <a href="data:text/csv,a" download="data.csv">Data</a>
      <button onclick="const a = document.createElement('a'); a.href = window.URL.createObjectURL(new Blob(['a'])); a.download = 'blob.txt'; a.click()">Blob</button>`);
    for (const [text, name] of [
      ["Named", "report"],
      ["Attached", "sheet"],
      ["Script", "sheet"],
      ["Data", "data"],
      ["Blob", "blob"],
    ])
      expect(await app.do("click", { text })).toMatch(new RegExp(`\\nThe download of "${name}`));
  });
});

describe("an address that does not answer", () => {
  it("is named by the click that leads there, and by the next calls", async () => {
    const url = `http://127.0.0.1:${await freePort()}/dead`;
    await app.show(`<a href="${url}">Link</a>`);
    const failed = `an error page, since ${url} could not be loaded`;
    expect(await app.do("click", { text: "Link" })).toMatch(
      new RegExp(`\\nThe page is now ${failed} \\((ERR_CONNECTION_REFUSED|unknown error)\\)\\.$`),
    );
    expect(await app.do("inspect_dom")).toContain(failed);
    expect(await app.do("navigate", { action: "back" })).toMatch(/^Now "Test" at http/);
  });
});

describe("a page with a login", () => {
  const guarded: RequestListener = (request, response) => {
    if (request.headers.authorization) return void response.end("<title>Inside</title>");
    response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end("<title>Outside</title>");
  };

  it("shows no user and password of its address", async () => {
    const host = await serve(guarded);
    expect(await app.do("navigate", { url: `http://ada:geheim@${host}/` })).toContain('"Inside"');
    const text = [
      await app.do("get_window_info"),
      await app.do("inspect_dom"),
      await app.fail("inspect_dom", { windowId: "w99" }),
      await app.fail("navigate", { url: `http://ada:geheim@127.0.0.1:${await freePort()}/` }),
    ].join("\n");
    expect(text).not.toContain("geheim");
    expect(text).toContain(`http://${host}/`);
  });

  it("reports that it needs one", async () => {
    const host = await serve(guarded);
    // Without a window for the login, the browser shows the page or refuses it.
    const { text } = await app.call("navigate", { url: `http://${host}/`, timeoutMs: 3_000 });
    expect(text).toMatch(/^(login_required: http:\/\/\S+\/ asks for a login|Now "Outside".*\(HTTP 401\))/);
  });
});

it("names the port of CDP_URL if nothing answers there", async () => {
  const port = await freePort();
  await app.connect({ cdpUrl: `http://127.0.0.1:${port}` });
  expect(await app.fail("inspect_dom")).toContain(`Start the app with --remote-debugging-port=${port}, or`);
});
