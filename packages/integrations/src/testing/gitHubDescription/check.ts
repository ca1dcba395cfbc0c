import { Ajv, type ValidateFunction } from "ajv";
import type { Received, Reply } from "../server";
import description from "./gitHubDescription.json" with { type: "json" };

interface Operation {
  /** The schema of each query parameter. */
  query: Record<string, unknown>;
  body: unknown;
  /** The schema of each status' JSON; null for an answer without one. */
  answers: Record<string, unknown>;
}

interface Description {
  operations: Record<string, Operation>;
  definitions: Record<"request" | "answer", Record<string, object>>;
}

const { operations, definitions }: Description = description;
// Query parameters arrive as text.
const ajv = new Ajv({ strict: false, coerceTypes: true, allErrors: true });
const exact = new Ajv({ strict: false, allErrors: true });

const routes = Object.entries(operations).map(([route, operation]) => {
  const [method, path = ""] = route.split(" ");
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
  return { route, method, pattern, operation };
});

const validators = new Map<string, ValidateFunction>();

/** The problems of a value, each as a sentence. */
function problemsOf(key: string, schema: unknown, value: unknown, compiler: Ajv): string[] {
  const validate =
    validators.get(key) ??
    compiler.compile({ definitions, ...(schema as object), $id: `/${validators.size}` });
  validators.set(key, validate);
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${key}${instancePath} ${message} ${JSON.stringify(params.additionalProperty ?? params.allowedValues ?? "")}`,
  );
}

/**
 * Compares a request to GitHub's REST API and the test server's answer with the published description.
 * @param path without the prefix of an Enterprise server
 * @returns what differs, each as a sentence
 */
export function differences({ method, query, body }: Received, path: string, reply: Reply): string[] {
  const found = routes.find((one) => one.method === method && one.pattern.test(path));
  if (!found) return [`${method} ${path} is not described`];
  const { route, operation } = found;
  const asked = [...query].flatMap(([name, value]) =>
    name in operation.query
      ? problemsOf(
          `${route} ?${name}`,
          { properties: { [name]: operation.query[name] } },
          { [name]: value },
          ajv,
        )
      : [`${route} ?${name} is not described`],
  );
  const sent =
    operation.body === null || body === "" ? [] : problemsOf(`${route} body`, operation.body, body, exact);
  const { status = 200, json } = reply;
  // Refusals have one form, which the description does not repeat for each operation.
  const schema = operation.answers[status];
  if (schema === undefined)
    return [...asked, ...sent, ...(status < 400 ? [`${route} does not answer ${status}`] : [])];
  const answered =
    schema === null || json === undefined ? [] : problemsOf(`${route} ${status}`, schema, json, exact);
  return [...asked, ...sent, ...answered];
}
