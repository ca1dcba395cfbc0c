import { Readable } from "node:stream";
import { ProviderError } from "../errors";
import type { Network } from "./network";

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 3;

interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

type ReadBody<Body> = (body: AsyncIterable<Uint8Array>) => Promise<Body>;

/**
 * Sends one request and reads the response. It follows a redirect only within the same origin and only for a
 * request that changes nothing (a renamed repository), so credentials go nowhere else. A request with the redirect mode
 * `manual` gets a 302 as its answer.
 * @throws {ProviderError} `unavailable`, `bad_answer` or `address_refused`
 */
export async function sendRequest<Body>(
  network: Network,
  request: Request,
  body: Buffer | undefined,
  deadline: AbortSignal,
  readBody: ReadBody<Body>,
): Promise<Answer<Body>> {
  const { method } = request;
  const headers = Object.fromEntries(request.headers);
  const signal = AbortSignal.any([deadline, request.signal]);
  let url = new URL(request.url);
  for (let redirects = 0; ; redirects += 1) {
    const response = await network.fetch(url, { method, headers, body, signal }).catch((cause) => {
      throw unanswered(cause);
    });
    const read = await unbroken(readBody(response.body ?? Readable.from([])));
    const { status } = response;
    const location = response.headers.get("location");
    const isFinal = status < 300 || status > 399 || (status === 302 && request.redirect === "manual");
    if (isFinal || location === null) return { status, headers: headersOf(response.headers), body: read };
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const isSameSite = next?.origin === url.origin && next.protocol === url.protocol;
    if (!isSameSite || !["GET", "HEAD"].includes(method) || redirects === MAX_REDIRECTS)
      throw new ProviderError("bad_answer", { detail: "it redirects elsewhere" });
    url = next;
  }
}

/** The headers without those that describe the encoded body, which has been decoded. */
function headersOf(received: Iterable<[string, string]>): Headers {
  const headers = new Headers([...received]);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  return headers;
}

/** Reads a whole body, up to a maximum size. */
export async function readWhole(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new ProviderError("bad_answer", { detail: "its answer is too large" });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function unbroken<Body>(reading: Promise<Body>): Promise<Body> {
  try {
    return await reading;
  } catch (cause) {
    if (cause instanceof ProviderError || isTimeout(cause)) throw unanswered(cause);
    throw new ProviderError("bad_answer", { detail: "its answer broke off", cause });
  }
}

function unanswered(cause: unknown): ProviderError {
  for (let error = cause; error instanceof Error; error = error.cause)
    if (error instanceof ProviderError) return error;
  const detail = isTimeout(cause) ? "it did not answer in time" : "it could not be reached";
  return new ProviderError("unavailable", { detail, cause });
}

const isTimeout = (error: unknown) =>
  error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name);
