import { setTimeout as sleep } from "node:timers/promises";
import { ProviderError, type ProviderFailure } from "../errors";
import type { Network } from "./network";
import { readWhole, sendRequest } from "./sendRequest";

export type Fetch = typeof globalThis.fetch;

/** The part of a provider's response that shows whether it is an error. */
interface Answer {
  status: number;
  headers: Headers;
  /** Undefined if there is no body. */
  json: unknown;
}

/** Finds errors that a provider does not report by HTTP's statuses; undefined if the response has none. */
export type ReadError = (answer: Answer) => ProviderError | undefined;

export interface FetchOptions {
  network: Network;
  /** The deadline of the whole call, which may take many requests. */
  deadline: AbortSignal;
  /** Redacted from the provider's messages. */
  secrets: string[];
  readError?: ReadError;
}

const MAX_RETRIES = 2;
const RETRY_MS = 150;
/** The longest rate limit to wait for. A longer one is reported to the caller. */
const SHORT_LIMIT_SECONDS = 3;

/**
 * The `fetch` for the providers' clients. It reads each response completely, up to a maximum size, and throws a
 * {@link ProviderError} for every failure, so that all clients fail alike.
 *
 * The clients' own retries are off, since they wait for minutes. This `fetch` retries at most twice: after an outage,
 * if the request changes nothing, and after a rate limit that ends within seconds.
 */
export function createFetch({ network, deadline, secrets, readError }: FetchOptions): Fetch {
  const attempt = async (request: Request, sent: Buffer | undefined): Promise<Response> => {
    const { status, headers, body } = await sendRequest(network, request, sent, deadline, readWhole);
    const ok = status >= 200 && status < 300;
    const json = parseJson(body.toString("utf8"), ok);
    const error = readError?.({ status, headers, json });
    const isExpectedRedirect = status === 302 && request.redirect === "manual";
    if (error || !(ok || isExpectedRedirect))
      throw redacted(error ?? errorFor({ status, headers, json }), secrets);
    const response = new Response(body.length === 0 ? null : new Uint8Array(body), { status, headers });
    // Octokit finds the next page from this URL.
    return Object.defineProperty(response, "url", { value: request.url });
  };
  return async (input, init) => {
    const request = toRequest(input, init);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    return withRetries(request.method, deadline, () => attempt(request, body));
  };
}

/** Retries a request after the failures that {@link createFetch} describes. */
export async function withRetries<T>(
  method: string,
  deadline: AbortSignal,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const wait = retries < MAX_RETRIES ? waitBefore(error, method) : undefined;
      if (wait === undefined) throw error;
      await sleep(wait, undefined, { signal: deadline });
    }
  }
}

/** A request without options of other fetch implementations, such as the dispatcher of discord's client. */
function toRequest(input: string | URL | Request, init: RequestInit = {}): Request {
  const { method, headers, body, signal, redirect } = init;
  const streamed = body instanceof ReadableStream && { duplex: "half" as const };
  return new Request(input, { method, headers, body, signal, redirect, ...streamed });
}

/** The wait before a retry, in milliseconds; undefined if the request must not be repeated. */
function waitBefore(error: unknown, method: string): number | undefined {
  if (!(error instanceof ProviderError)) return undefined;
  const { failure, retryAfterSeconds } = error;
  if (failure === "rate_limited")
    return retryAfterSeconds !== undefined && retryAfterSeconds <= SHORT_LIMIT_SECONDS
      ? retryAfterSeconds * 1000
      : undefined;
  return failure === "unavailable" && ["GET", "HEAD"].includes(method) ? RETRY_MS : undefined;
}

/** Every provider answers with JSON or nothing. The body of an error may also be a proxy's page. */
export function parseJson(text: string, mustBeJson: boolean): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (mustBeJson) throw new ProviderError("bad_answer", { detail: "its answer is not JSON", cause });
    return undefined;
  }
}

/** The provider's own error, or the meaning of a status (RFC 9110) if the provider does not describe its error. */
export function errorFor(answer: Answer, readError?: ReadError): ProviderError {
  const own = readError?.(answer);
  if (own) return own;
  const detail = detailOf(answer.json) ?? `status ${answer.status}`;
  const failure = failureOf(answer.status);
  if (failure !== "rate_limited") return new ProviderError(failure, { detail, status: answer.status });
  return new ProviderError(failure, { detail, retryAfterSeconds: retryAfter(answer.headers) });
}

function failureOf(status: number): ProviderFailure {
  if (status === 401) return "unauthorized";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "not_found";
  if (status === 429) return "rate_limited";
  if (status === 408 || status >= 500) return "unavailable";
  return status >= 400 ? "refused" : "bad_answer";
}

const MAX_RETRY_AFTER_SECONDS = 24 * 60 * 60;

/** `retry-after` in seconds or as a date (RFC 9110, section 10.2.3), rounded up; a minute if it is missing. */
export function retryAfter(headers: Headers): number {
  const value = headers.get("retry-after") ?? "";
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return boundedSeconds(seconds);
}

/** Limits a time to between a second and a day; NaN becomes a minute. */
export const boundedSeconds = (seconds: number): number =>
  Number.isNaN(seconds) ? 60 : Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS);

const MAX_DETAIL = 300;

/** The message in an error's body, in any of the places that providers use. */
function detailOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { message, error_description, error, errorMessages, errors } = json as Record<string, unknown>;
  const details = [message, error_description, error, errorMessages, errors].filter(
    (part) => part !== undefined && part !== null,
  );
  const parts = details.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** The error with a detail of one bounded line, and without the secrets, which a provider may repeat. */
export function redacted(error: ProviderError, secrets: string[]): ProviderError {
  if (error.detail === undefined) return error;
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), error.detail);
  const detail = hidden
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .slice(0, MAX_DETAIL);
  const { failure, retryAfterSeconds, status } = error;
  return new ProviderError(failure, { detail, retryAfterSeconds, status });
}
