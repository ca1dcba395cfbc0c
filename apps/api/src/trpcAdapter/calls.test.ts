import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const { token, organizationId } = await server.signUp();

const encoded = (input: unknown) => encodeURIComponent(JSON.stringify(input));
const list = encoded({ organizationId });
const slug = `orchard-${organizationId}`;
const project = {
  organizationId,
  name: "Orchard \u{1F333}",
  slug,
  repoOwner: "acme",
  repoName: "orchard",
  repoUrl: "https://example.com/acme/orchard.git",
};

/** Status, headers and body, without what differs from request to request. */
async function answer(path: string, init: RequestInit, headers: Record<string, string>) {
  const response = await fetch(`${server.url}/api/trpc/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers, ...headers },
  });
  const body = (await response.text()).replace(
    /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-[\d:.T-]+Z/g,
    "…",
  );
  const named = ["content-type", "vary", "retry-after"].map((name) => [name, response.headers.get(name)]);
  return { status: response.status, headers: Object.fromEntries(named), body };
}

const post = (input: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: typeof input === "string" ? input : JSON.stringify(input),
});

// A request with `trpc-accept` is not a simple one, so tRPC answers it.
it.each<[what: string, path: string, init: RequestInit, status: number]>([
  ["a query", `project.list?input=${list}`, {}, 200],
  ["one without input", "user.get", {}, 200],
  ["one that states its type", "user.get", { headers: { "content-type": "application/json" } }, 200],
  ["a batch", `user.get,project.list?batch=1&input=${encoded({ 1: { organizationId } })}`, {}, 200],
  ["a batch of one", `user.get?batch=1&input=%7B%7D`, {}, 200],
  ["a batch of which one fails", `user.get,project.list?batch=1&input=${encoded({ 1: {} })}`, {}, 207],
  ["a batch that fails", `project.list,project.list?batch=1&input=${encoded({})}`, {}, 400],
  ["a batch without input", "user.get,user.get?batch=1", {}, 200],
  ["a batch whose input is a list", "user.get?batch=1&input=%5B%5D", {}, 400],
  ["a mutation that fails", "project.create", post({ ...project, slug: "Not a slug" }), 400],
  ["a mutation without input", "project.create", { ...post(""), body: null }, 400],
  ["another organization", `project.list?input=${encoded({ organizationId: crypto.randomUUID() })}`, {}, 403],
  ["no credential", `project.list?input=${list}`, { headers: { authorization: "" } }, 401],
  ["an unknown procedure", "project.paint", {}, 404],
  ["one of them unknown", `user.get,project.paint?batch=1&input=%7B%7D`, {}, 207],
  ["a name of every object", "__proto__", {}, 404],
  ["a query that is posted", "project.list", post({ organizationId }), 405],
  ["a mutation that is got", `project.create?input=${encoded(project)}`, {}, 405],
  ["kinds that are mixed", `user.get,project.create?batch=1&input=%7B%7D`, {}, 400],
  ["input that is no JSON", "project.list?input=%7B", {}, 400],
  ["a body that is no JSON", "project.create", post("{"), 400],
  ["input that is given twice", `project.list?input=${list}&input=${list}`, {}, 200],
  ["an escaped path", `project%2Elist?input=${list}`, {}, 200],
])("%s is answered as tRPC answers it", async (_, path, init, status) => {
  const ours = await answer(path, init, {});
  expect(ours).toEqual(await answer(path, init, { "trpc-accept": "application/json" }));
  expect(ours.status).toBe(status);
});

it("a mutation runs once", async () => {
  expect(await answer("project.create", post(project), {})).toMatchObject({ status: 200 });
  const again = await answer("project.create", post(project), {});
  expect(again).toEqual(await answer("project.create", post(project), { "trpc-accept": "application/json" }));
  expect(again).toMatchObject({ status: 409 });
});

it("streamed answers come from tRPC", async () => {
  const path = `user.get,project.list?batch=1&input=${encoded({ 1: { organizationId } })}`;
  const streamed = await answer(path, {}, { accept: "application/jsonl" });
  expect(streamed.body.split("\n").length).toBeGreaterThan(2);
});
