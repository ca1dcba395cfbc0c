import type { IncomingMessage } from "node:http";

const JSON_TYPE = "application/json";
const STREAM_TYPE = "text/event-stream";

/** Whether a request accepts JSON and no event stream. */
export const acceptsOnlyJson = ({ headers }: IncomingMessage): boolean => {
  const accepts = readAccept(headers.accept);
  return accepts(JSON_TYPE) && !accepts(STREAM_TYPE);
};

/**
 * Makes a transport accept a request whose Accept header allows one form of response, although the transport requires
 * both. A request that accepts neither form is not changed, and the transport refuses it.
 */
export function acceptEitherForm(request: IncomingMessage): void {
  const accepts = readAccept(request.headers.accept);
  const isPost = request.method === "POST";
  if (isPost ? !accepts(JSON_TYPE) && !accepts(STREAM_TYPE) : !accepts(STREAM_TYPE)) return;
  setHeader(request, "accept", `${JSON_TYPE}, ${STREAM_TYPE}`);
}

/** Sets a request's header, or removes it. Transports read the raw headers. */
export function setHeader(request: IncomingMessage, name: string, value?: string): void {
  const pairs = request.rawHeaders.flatMap((key, index, all) =>
    index % 2 === 0 && key.toLowerCase() !== name ? [key, all[index + 1] ?? ""] : [],
  );
  request.rawHeaders = value === undefined ? pairs : [...pairs, name, value];
  if (value === undefined) delete request.headers[name];
  else request.headers[name] = value;
}

/** Whether an Accept header (RFC 9110, section 12.5.1) allows a type. Without one, every type is allowed. */
function readAccept(given: string | undefined): (type: string) => boolean {
  if (given === undefined || given.trim() === "") return () => true;
  const ranges = given.split(",").flatMap((part) => {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [range];
  });
  return (type) => [type, `${type.split("/")[0]}/*`, "*/*"].some((range) => ranges.includes(range));
}
