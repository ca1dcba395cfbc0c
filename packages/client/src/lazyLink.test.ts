import { createTRPCClient, httpLink, type TRPCLink } from "@trpc/client";
import { expect, it } from "vitest";
import type { AppRouter } from "./index";
import { lazyLink } from "./lazyLink";
import { serve, t } from "./testing";

const router = t.router({ user: t.router({ get: t.procedure.query(() => ({ name: "Ada" })) }) });

/** A client of a server, whose link is loaded by `load`. */
async function start(load: (link: TRPCLink<AppRouter>) => Promise<TRPCLink<AppRouter>>) {
  const { apiUrl, seen } = await serve(router);
  const link = httpLink<AppRouter>({ url: `${apiUrl}/api/trpc` });
  return { client: createTRPCClient<AppRouter>({ links: [lazyLink(() => load(link))] }), seen };
}

it("loads the link once, with the first operation", async () => {
  let loads = 0;
  const { client } = await start(async (link) => {
    loads++;
    return link;
  });
  expect(loads).toBe(0);
  await Promise.all([client.user.get.query(), client.user.get.query()]);
  expect(await client.user.get.query()).toEqual({ name: "Ada" });
  expect(loads).toBe(1);
});

it("reports that the link could not be loaded, and loads it again for the next operation", async () => {
  let loads = 0;
  const { client } = await start(async (link) => {
    if (++loads === 1) throw new Error("no network");
    return link;
  });
  await expect(client.user.get.query()).rejects.toMatchObject({
    name: "TRPCClientError",
    message: "no network",
  });
  expect(await client.user.get.query()).toEqual({ name: "Ada" });
});

it("begins no subscription that ended while the link was loaded", async () => {
  let finish = () => {};
  const loading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { client, seen } = await start((link) => loading.then(() => link));
  const input = { organizationId: "0198a000-0000-7000-8000-000000000001" };
  client.task.watch.subscribe(input, { onData: () => undefined }).unsubscribe();
  const call = client.user.get.query();
  finish();
  await call;
  expect(seen.map(({ calls }) => calls)).toEqual([["user.get"]]);
});
