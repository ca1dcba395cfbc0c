import type { Vault } from "@grove/auth";
import { type DoctorFinding, finding, messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { PROBE_HEADER, PROBE_PATH, type Seen, sealProbe, seen } from "./probe";

const ANSWER_MS = 10_000;
/** A first event that arrives later than this is reported as delayed. */
const PROMPT_MS = 1_000;
/** Longer than a stream is silent between two heartbeats. */
const SILENCE_MS = 20_000;

const BUFFERING =
  "Turn off response buffering and compression of streams in the proxy (nginx: proxy_buffering off; Caddy: flush_interval -1).";
const IDLE =
  "Make the proxy keep idle connections open for a minute or more (nginx: proxy_read_timeout 90s; HAProxy: timeout server).";

/** Examines PUBLIC_URL as people and devices reach it: through DNS, TLS and every proxy in front. */
export async function examineAddress(
  publicUrl: string | undefined,
  vault: Vault | undefined,
  { silentMs = SILENCE_MS } = {},
): Promise<DoctorFinding[]> {
  if (publicUrl === undefined || vault === undefined)
    return [finding.ok("address", "PUBLIC_URL is not set: only this machine reaches it")];
  let response: Response;
  try {
    response = await fetch(`${publicUrl}${PROBE_PATH}`, {
      headers: { [PROBE_HEADER]: sealProbe(vault, silentMs), accept: "text/event-stream" },
      redirect: "manual",
      signal: timeoutSignal(ANSWER_MS + silentMs),
    });
  } catch (error) {
    return [unreachable(publicUrl, error)];
  }
  // Measured from the headers on, since connecting, TLS and a busy server take time that no proxy causes.
  const began = performance.now();
  const refusal = await refused(publicUrl, response);
  if (refusal) return [refusal];
  const secure = publicUrl.startsWith("https:") || /^http:\/\/(localhost|127\.|\[::1\])/.test(publicUrl);
  return [
    secure
      ? finding.ok("address", `${publicUrl} answers`)
      : finding.warn(
          "address",
          `${publicUrl} is not https: passwords and keys travel unencrypted`,
          "Put a proxy with TLS in front.",
        ),
    ...(await examineStream(response, began, silentMs)),
  ];
}

function unreachable(publicUrl: string, error: unknown): DoctorFinding {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (/CERT|SIGNED|ALTNAME|ISSUER|SIGNATURE/.test(code))
    return finding.fail(
      "certificate",
      `the certificate of ${publicUrl} is not trusted: ${messageOf(cause)}`,
      "Renew it for this name. For a private certificate authority, set NODE_EXTRA_CA_CERTS here and on every machine.",
    );
  return finding.fail(
    "address",
    `${publicUrl} cannot be reached: ${messageOf(cause) || code}`,
    "Check that the server is running, that PUBLIC_URL is right, and that DNS and firewalls let this machine through.",
  );
}

async function refused(publicUrl: string, response: Response): Promise<DoctorFinding | undefined> {
  if (response.ok && response.headers.get("content-type")?.startsWith("text/event-stream")) return undefined;
  const { status } = response;
  await response.body?.cancel();
  if (status === 421)
    return finding.fail(
      "host",
      `${publicUrl} answers 421: the Host header that arrives is not PUBLIC_URL's`,
      "Make the proxy forward it (nginx: proxy_set_header Host $host), or add that name to ALLOWED_HOSTS.",
    );
  if (status === 403)
    return finding.fail(
      "address",
      `${publicUrl} does not accept this CREDENTIALS_KEY`,
      "Run the doctor with the server's own environment, and set this machine's clock by NTP.",
    );
  return finding.fail(
    "address",
    `${publicUrl}${PROBE_PATH} answers ${status}, not as this release of Grove does`,
    "Check PUBLIC_URL. The proxy must forward all paths to this server.",
  );
}

async function examineStream(response: Response, began: number, silentMs: number): Promise<DoctorFinding[]> {
  const arrivals: { data: string; ms: number }[] = [];
  try {
    for await (const data of eventsOf(response)) arrivals.push({ data, ms: performance.now() - began });
  } catch {
    // The stream was cut off, which the last event shows.
  }
  const first = arrivals[0];
  const last = arrivals.at(-1);
  if (!first || !last) return [finding.fail("stream", "no event arrived", BUFFERING)];
  const isCut = last.data !== '"end"';
  const findings = [
    findingForDelay(first.ms, isCut ? undefined : last.ms - first.ms, silentMs),
    isCut
      ? finding.fail("silence", `a stream that is silent for ${silentMs / 1000} s is cut off`, IDLE)
      : finding.ok("silence", `a stream stays open for ${silentMs / 1000} s without data`),
  ];
  return [...findings, examineProxies(seen.parse(JSON.parse(first.data)))];
}

/**
 * Judges by the time between the events: the server sends them with a silence in between, and a proxy that holds
 * streams back passes both on together. A busy server or machine delays the first one, too, which is only a warning.
 * @param gapMs undefined if the last event did not arrive
 */
function findingForDelay(firstMs: number, gapMs: number | undefined, silentMs: number): DoctorFinding {
  const late = Math.round(firstMs);
  if (gapMs !== undefined && gapMs < silentMs / 2)
    return finding.fail(
      "stream",
      "the first event arrived with the last one: a proxy buffers the stream",
      BUFFERING,
    );
  if (firstMs <= PROMPT_MS) return finding.ok("stream", `the first event arrived after ${late} ms`);
  return finding.warn(
    "stream",
    `the first event arrived ${late} ms after the headers: this machine or the server is busy, or a proxy buffers the stream`,
    BUFFERING,
  );
}

function examineProxies({ proxies, trusted }: Seen): DoctorFinding {
  if (proxies > trusted)
    return finding.fail(
      "proxies",
      `${proxies} proxies add addresses, and TRUST_PROXY trusts ${trusted}: all callers seem to have one address, and share its limits`,
      `Set TRUST_PROXY=${proxies}.`,
    );
  if (proxies < trusted)
    return finding.fail(
      "proxies",
      `TRUST_PROXY trusts ${trusted} proxies, and ${proxies} are in front: callers can forge their address`,
      `Set TRUST_PROXY=${proxies === 0 ? "false" : proxies}, or let the proxy set x-forwarded-for.`,
    );
  return finding.ok("proxies", `${proxies} in front, and trusted`);
}

/** The data of each event. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let buffered = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const events = (buffered + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
    buffered = events.pop() ?? "";
    for (const event of events) yield event.replace(/^data: /, "");
  }
}
