import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/*
 * Cuts the operations that the adapter uses out of GitHub's published OpenAPI description, which has 13 MB:
 *
 *     npm pack @octokit/openapi && tar xzf octokit-openapi-*.tgz package/generated/api.github.com.json
 *     npx tsx src/testing/gitHubDescription/extractGitHubDescription.ts package/generated/api.github.com.json
 *
 * Texts, examples and formats are left out. Answers may lack fields, since the test server sends only those that
 * matter, but they have no field that is not described.
 */

type Json = Record<string, unknown>;

const routes = [
  "GET /user",
  "GET /user/repos",
  "GET /app/installations/{installation_id}",
  "POST /app/installations/{installation_id}/access_tokens",
  "GET /installation/repositories",
  "GET /repos/{owner}/{repo}",
  "POST /repos/{owner}/{repo}/hooks",
  "DELETE /repos/{owner}/{repo}/hooks/{hook_id}",
  "GET /repos/{owner}/{repo}/pulls",
  "POST /repos/{owner}/{repo}/pulls",
  "GET /repos/{owner}/{repo}/pulls/{pull_number}",
  "PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge",
  "GET /repos/{owner}/{repo}/rules/branches/{branch}",
  "GET /repos/{owner}/{repo}/commits/{ref}/check-runs",
  "GET /repos/{owner}/{repo}/commits/{ref}/status",
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}",
  "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
  "GET /repos/{owner}/{repo}/actions/runs",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs",
  "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs",
];

const [source = ""] = process.argv.slice(2);
const description = JSON.parse(await readFile(source, "utf8")) as Json;

const at = (pointer: string): unknown =>
  pointer
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((part, key) => (part as Json)[key], description);

const resolve = (part: unknown): Json => {
  const { $ref } = part as { $ref?: string };
  return $ref === undefined ? (part as Json) : (at($ref) as Json);
};

/** The schemas of each kind, by their names in the description. */
const definitions: Record<"request" | "answer", Json> = { request: {}, answer: {} };

const kept = new Set(["type", "enum", "items", "properties", "required", "anyOf", "oneOf"]);

/** A schema with the properties of all parts of its `allOf`, which are objects. */
function flatten(schema: Json): Json {
  const { allOf, ...own } = schema as Json & { allOf?: unknown[] };
  if (!allOf) return schema;
  const parts = [own, ...allOf].map((part) => flatten(resolve(part)));
  return { ...own, type: "object", properties: Object.assign({}, ...parts.map((part) => part.properties)) };
}

/** A schema of OpenAPI 3.0 as one of JSON Schema. */
function toSchema(part: unknown, kind: "request" | "answer"): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => toSchema(one, kind));
  const { $ref, nullable, ...own } = part as Json & { $ref?: string; nullable?: boolean };
  const schema = $ref === undefined ? ofKeywords(own, kind) : toReference($ref, kind);
  return nullable === true ? { anyOf: [schema, { type: "null" }] } : schema;
}

function toReference($ref: string, kind: "request" | "answer"): Json {
  const name = $ref.replace("#/components/schemas/", "");
  if (!(name in definitions[kind])) {
    // Set first: a schema may refer to itself.
    definitions[kind][name] = {};
    definitions[kind][name] = toSchema(at($ref), kind);
  }
  return { $ref: `#/definitions/${kind}/${name}` };
}

function ofKeywords(given: Json, kind: "request" | "answer"): Json {
  const own = flatten(given);
  const schema: Json = {};
  for (const [key, value] of Object.entries(own)) {
    if (!kept.has(key) || (key === "required" && kind === "answer")) continue;
    // Without required fields, several alternatives may match.
    const name = key === "oneOf" ? "anyOf" : key;
    schema[name] =
      key === "properties"
        ? Object.fromEntries(Object.entries(value as Json).map(([of, one]) => [of, toSchema(one, kind)]))
        : key === "type" || key === "enum" || key === "required"
          ? value
          : toSchema(value, kind);
  }
  const isComplete = "properties" in schema && !("anyOf" in schema);
  if (isComplete && own.additionalProperties === undefined) schema.additionalProperties = false;
  return schema;
}

const contentOf = (part: Json, kind: "request" | "answer"): unknown => {
  const { "application/json": json } = (part.content ?? {}) as Record<string, { schema?: unknown }>;
  return json?.schema === undefined ? null : toSchema(json.schema, kind);
};

function toOperation(route: string): Json {
  const [method = "", path = ""] = route.split(" ");
  const operation = ((description.paths as Json)[path] as Json)[method.toLowerCase()] as Json;
  const parameters = ((operation.parameters ?? []) as unknown[]).map(resolve);
  const query = parameters.filter((parameter) => parameter.in === "query");
  return {
    query: Object.fromEntries(query.map(({ name, schema }) => [name, toSchema(schema, "request")])),
    body: operation.requestBody ? contentOf(resolve(operation.requestBody), "request") : null,
    answers: Object.fromEntries(
      Object.entries(operation.responses as Json).map(([status, answer]) => [
        status,
        contentOf(resolve(answer), "answer"),
      ]),
    ),
  };
}

const operations = Object.fromEntries(routes.map((route) => [route, toOperation(route)]));
const { version } = description.info as { version: string };
const slice = { source: `api.github.com ${version}`, operations, definitions };
const file = fileURLToPath(new URL("gitHubDescription.json", import.meta.url));
await writeFile(file, `${JSON.stringify(slice)}\n`);
