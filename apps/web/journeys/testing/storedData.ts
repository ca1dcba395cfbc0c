import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { TestApi } from "@grove/test-api/api";
import type { Page } from "@grove/testing/browser";

/** A unique text to search for afterwards. It represents a password, a secret, or a line of a diff. */
export const marker = (): string => `mark${crypto.randomUUID().replaceAll("-", "")}`;

/** Records the browser's requests, and whether it may cache the responses. */
export function recordRequests(page: Page) {
  const seen = { addresses: [] as string[], kept: [] as string[] };
  page.on("request", (request) =>
    seen.addresses.push(`${request.url()} ${request.headers().referer ?? ""} ${page.url()}`),
  );
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const isStream = response.request().headers().accept === "text/event-stream";
    const mayKeep = response.headers()["cache-control"] !== "no-store";
    // The client requests streams with the cache mode `no-store`.
    if (pathname.startsWith("/api/") && !isStream && mayKeep) seen.kept.push(pathname);
  });
  return seen;
}

interface Places {
  api: TestApi;
  page: Page;
  /** Directories in which Grove may store data. */
  directories: string[];
  /** Other stores, by name. */
  others: Record<string, string>;
}

/**
 * Everything that is stored outside of memory, by place: each table's rows as a backup has them, the API's log, the
 * browser's storage, and a machine's files.
 */
export async function everythingKept({ api, page, directories, others }: Places) {
  const places = new Map(Object.entries({ ...others, "the API's log": api.output }));
  const backup = join(directories[0] ?? "", "all.backup");
  await api.backUp(backup);
  let table = "";
  for (const line of gunzipSync(await readFile(backup))
    .toString("latin1")
    .split("\n")) {
    table = /^\{"table":"(\w+)"/.exec(line)?.[1] ?? table;
    places.set(`table ${table}`, `${places.get(`table ${table}`) ?? ""}${line}\n`);
  }
  const stored = await page.context().storageState({ indexedDB: true });
  places.set("the browser's storage", JSON.stringify(stored));
  const ofThePage = "JSON.stringify([{ ...sessionStorage }, history.state, document.cookie, location.href])";
  places.set("the tab's storage", await page.evaluate<string>(ofThePage));
  places.set("the caches", (await page.evaluate<string[]>("caches.keys()")).join());
  for (const directory of directories.filter(existsSync))
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && path !== backup) places.set(path, await readFile(path, "latin1"));
    }
  return {
    /** Returns the places that contain a text: in plain, in hexadecimal, or as base64. */
    placesOf: (text: string): string[] =>
      [...places]
        .filter(([, content]) => writings(text).some((each) => content.includes(each)))
        .map(([name]) => name),
  };
}

/** The encodings of a text. Base64 has three, depending on the text's offset. */
const writings = (text: string): string[] => [
  text,
  Buffer.from(text).toString("hex"),
  ...[0, 1, 2].map((skipped) => Buffer.from(text.slice(skipped)).toString("base64").slice(0, -4)),
];
