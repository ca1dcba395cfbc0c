import type { AnyProcedure } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { appRouter } from "../router";
import { useTestServer } from "../testing/server";
import { createWorld, identities } from "../testing/world";
import type { Meta } from "../trpc";

import { adminMatrix } from "./admin";
import { agentMatrix } from "./agent";
import { apiKeyMatrix } from "./apiKey";
import { chatMatrix } from "./chat";
import { deviceMatrix } from "./device";
import { organizationMatrix } from "./organization";
import { projectMatrix } from "./project";
import { taskMatrix } from "./task";
import { userMatrix } from "./user";
import { workspaceMatrix } from "./workspace";

const server = await useTestServer();
const world = await createWorld(server);
const procedures = appRouter._def.procedures as unknown as Record<string, AnyProcedure>;

/** A router's rows stand in the file of its name beside this one. */
const routers = {
  admin: adminMatrix,
  agent: agentMatrix,
  apiKey: apiKeyMatrix,
  chat: chatMatrix,
  device: deviceMatrix,
  organization: organizationMatrix,
  project: projectMatrix,
  task: taskMatrix,
  user: userMatrix,
  workspace: workspaceMatrix,
};
const matrix = Object.fromEntries(
  Object.entries(routers).flatMap(([router, rows]) =>
    Object.entries(rows).map(([name, entry]) => [`${router}.${name}`, entry] as const),
  ),
);

/** One call over HTTP, as any client would make it; answers `ok` or the status. A stream is let go at once. */
async function call(path: string, token: string | undefined, input: unknown): Promise<string> {
  const hangUp = new AbortController();
  const json = JSON.stringify(input);
  const headers: Record<string, string> = {
    ...(token && { authorization: `Bearer ${token}` }),
    "content-type": "application/json",
  };
  const url = `${server.url}/api/trpc/${path}`;
  const kind = procedures[path]?._def.type;
  const response = await (kind === "mutation"
    ? fetch(url, { method: "POST", headers, body: json ?? "" })
    : fetch(json === undefined ? url : `${url}?input=${encodeURIComponent(json)}`, {
        headers: { ...headers, ...(kind === "subscription" && { accept: "text/event-stream" }) },
        signal: hangUp.signal,
      }));
  if (kind !== "subscription") {
    await response.text();
    return response.ok ? "ok" : `${response.status}`;
  }
  const outcome = await firstOfStream(response);
  hangUp.abort();
  return outcome;
}

/** A stream answers 200 and says in its first event, after tRPC's own, whether it was refused. */
async function firstOfStream(response: Response): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const refused = /event: serialized-error\ndata: (.*)\n/.exec(text);
    if (refused?.[1]) return `${JSON.parse(refused[1]).data.httpStatus}`;
    if (/^data: \{"type"/m.test(text)) return "ok";
  }
  throw new Error(`The stream ended with: ${text}`);
}

describe("the authorization matrix", () => {
  it("has an entry for every procedure, and no other", () => {
    expect(Object.keys(matrix).sort()).toEqual(Object.keys(procedures).sort());
  });

  it.each(Object.entries(matrix))("%s", async (path, { outcomes, input }) => {
    const found: Record<string, string> = {};
    for (const identity of identities)
      found[identity] = await call(path, world.tokens[identity], await input(world));
    const expected = Object.fromEntries(
      outcomes.split(/\s+/).map((outcome, at) => [identities[at], outcome]),
    );
    expect(found).toEqual(expected);
  });

  it.each(Object.entries(matrix).filter(([, entry]) => entry.foreign))(
    "%s: another organization's rows do not exist",
    async (path, { foreign }) => {
      expect(await call(path, world.stranger.token, await foreign?.(world))).toBe("404");
    },
  );
});

it("the procedures, their kinds and guards", async () => {
  const lines = Object.entries(procedures).map(
    ([path, { _def }]) => `${path} ${_def.type} ${(_def.meta as Meta).guard}`,
  );
  await expect(`${lines.sort().join("\n")}\n`).toMatchFileSnapshot("authorization.snapshot.txt");
});
