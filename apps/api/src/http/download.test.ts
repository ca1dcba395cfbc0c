import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { failure, useHttpServer } from "../testing/http";

const directory = await mkdtemp(join(tmpdir(), "grove-download-"));
afterAll(() => rm(directory, { recursive: true }));
const deviceTarball = join(directory, "grove-device.tgz");
const content = randomBytes(1_000);
await writeFile(deviceTarball, content);

const { server, build } = await useHttpServer({ deviceTarball });
const url = "/download/grove-device.tgz";

it("is the packed device agent, with its SHA-256", async () => {
  const { statusCode, headers, rawPayload } = await server.inject({ method: "GET", url });
  expect(statusCode).toBe(200);
  expect(rawPayload).toEqual(content);
  const hash = createHash("sha256").update(content).digest();
  expect(headers).toMatchObject({
    "content-type": "application/gzip",
    "content-length": "1000",
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    etag: `"${hash.toString("hex")}"`,
    "repr-digest": `sha-256=:${hash.toString("base64")}:`,
  });
});

it("answers HEAD, and a conditional request without the body", async () => {
  const head = await server.inject({ method: "HEAD", url });
  expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([200, "", "1000"]);
  const again = (tags: string) => server.inject({ method: "GET", url, headers: { "if-none-match": tags } });
  expect(await again(`"other", W/${head.headers.etag}`)).toMatchObject({ statusCode: 304, body: "" });
  expect((await again('"other"')).statusCode).toBe(200);
});

it("is installed by a script, which holds the address, the version and the SHA-256", async () => {
  const script = await server.inject({
    method: "GET",
    url: "/install.sh",
    headers: { host: "localhost:3000" },
  });
  expect([script.statusCode, script.headers["content-type"]]).toEqual([
    200,
    "text/x-shellscript; charset=utf-8",
  ]);
  expect(script.body.split("\n").slice(0, 5)).toEqual([
    "#!/bin/sh",
    "address='http://localhost:3000'",
    expect.stringMatching(/^version='\d+\.\d+\.\d+'$/),
    `sha256='${createHash("sha256").update(content).digest("hex")}'`,
    expect.stringMatching(/^min_node='\d+\.\d+'$/),
  ]);
  const foreign = { host: "evil.example.com" };
  expect((await server.inject({ method: "GET", url: "/install.sh", headers: foreign })).statusCode).toBe(421);
});

it("quotes the address in the script, for any characters", async () => {
  const publicUrl = `https://grove.example.com/'$(touch "x")\`;\\`;
  const named = await build({ deviceTarball, publicUrl });
  const host = "grove.example.com";
  const { body } = await named.inject({ method: "GET", url: "/install.sh", headers: { host } });
  // The shell itself evaluates the script up to where its functions begin.
  const head = body.slice(0, body.indexOf("\nset -e"));
  expect(execFileSync("sh", ["-c", `${head}\nprintf %s "$address"`], { encoding: "utf8" })).toBe(publicUrl);
});

it.each([
  "/download",
  "/download/",
  "/download/other.tgz",
  "/download/../package.json",
  "/download/grove-device.tgz/x",
])("is the only download: %s does not exist", async (path) => {
  const response = await server.inject({ method: "GET", url: path, headers: { accept: "text/html" } });
  expect(failure(response)).toMatchObject({ status: 404 });
});

it("does not exist without a packed agent, or if the file is much larger", async () => {
  const large = join(directory, "large.tgz");
  await writeFile(large, "");
  await truncate(large, 17 * 1024 * 1024);
  for (const path of [undefined, join(directory, "nothing.tgz"), large]) {
    const without = await build({ deviceTarball: path });
    expect((await without.inject({ method: "GET", url })).statusCode).toBe(404);
    expect((await without.inject({ method: "GET", url: "/install.sh" })).statusCode).toBe(404);
    expect((await without.inject({ method: "GET", url: "/health" })).statusCode).toBe(200);
  }
});
