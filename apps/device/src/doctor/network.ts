import { once } from "node:events";
import { isIP } from "node:net";
import { connect as connectTls, type PeerCertificate } from "node:tls";
import { limit } from "@grove/signals";
import { codeOf, type DeviceApi } from "../cloud/deviceApi";
import { type Finding, fail, ok, warn } from "./finding";

const ANSWER_MS = 10_000;
const SKEW_MS = 60_000;
const EXPIRES_SOON_DAYS = 14;
/** The probe's events are sent over 667 ms. If they arrive within less than half of that, something held them back. */
const HELD_BACK_MS = 333;

/** Checks the API and everything on the way to it. Each check needs the ones before it to pass. */
export async function examineApi(apiUrl: string, cloud: DeviceApi | undefined): Promise<Finding[]> {
  const url = new URL(apiUrl);
  const findings: Finding[] = [];
  if (url.protocol === "https:") findings.push(await examineTls(url));
  else if (!/^(localhost|127\..*|\[::1\])$/.test(url.hostname))
    findings.push(
      warn("tls", `${apiUrl} is not https, so the device key travels unencrypted`, "Use an https address."),
    );
  // If the TLS check fails, requests would fail for the same reason.
  if (findings[0]?.state !== "fail") findings.push(...(await examineAddress(apiUrl)));
  if (findings.some(({ state }) => state === "fail") || !cloud) return findings;
  const credentials = await examineCredentials(cloud);
  findings.push(credentials);
  if (credentials.state !== "fail") findings.push(await examineStream(cloud));
  return findings;
}

async function examineTls(url: URL): Promise<Finding> {
  const port = Number(url.port) || 443;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const servername = isIP(host) === 0 ? host : undefined;
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect", { signal: limit(ANSWER_MS) });
    const certificate = socket.getPeerCertificate();
    if (!socket.authorized)
      return fail(
        "tls",
        `its certificate is not trusted: ${socket.authorizationError}`,
        advice(`${socket.authorizationError}`),
      );
    return expiry(certificate);
  } catch (error) {
    return fail(
      "tls",
      `no TLS connection to ${url.host}: ${(error as Error).message}`,
      "Is this an https address, and the port right?",
    );
  } finally {
    socket.destroy();
  }
}

function expiry({ valid_to }: PeerCertificate): Finding {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / 86_400_000);
  const said = `certificate valid until ${valid_to}`;
  return days < EXPIRES_SOON_DAYS
    ? warn("tls", said, `It expires in ${days} days: have it renewed on the server.`)
    : ok("tls", said);
}

function advice(error: string): string {
  if (/EXPIRED|NOT_YET_VALID/.test(error))
    return "Have it renewed on the server, or set this machine's clock right.";
  if (/ALTNAME/.test(error)) return "Use the host name that the certificate is for.";
  return "If it is signed by an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate, for the device agent too.";
}

async function examineAddress(apiUrl: string): Promise<Finding[]> {
  try {
    const began = Date.now();
    const response = await fetch(`${apiUrl}/health`, {
      signal: limit(ANSWER_MS),
      redirect: "manual",
    });
    const took = Date.now() - began;
    const body: unknown = await response.json().catch(() => undefined);
    if (
      !response.ok ||
      typeof body !== "object" ||
      body === null ||
      !("status" in body) ||
      body.status !== "ok"
    )
      return [
        fail(
          "address",
          `${apiUrl}/health answers ${response.status}, not as Grove's API does`,
          "Is API_URL right? It is the address that `register` was given; a proxy has to pass all paths on.",
        ),
      ];
    return [ok("address", `${apiUrl} answers in ${took} ms`), ...examineClock(response, began, took)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error && cause.message ? cause.message : String(cause);
    return [
      fail(
        "address",
        `${apiUrl} cannot be reached: ${why}`,
        "Is the address right, does the API run, and does a firewall or proxy let this machine through?",
      ),
    ];
  }
}

/** The Date header has whole seconds and was written at some time within the round trip. */
function examineClock(response: Response, began: number, took: number): Finding[] {
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return [];
  const skew = began + took / 2 - theirs;
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return Math.abs(skew) > SKEW_MS
    ? [
        warn(
          "clock",
          `this machine's clock is ${seconds} s ${skew > 0 ? "ahead of" : "behind"} the API's`,
          "Set it by NTP. Commands still work, but times in logs cannot be compared.",
        ),
      ]
    : [ok("clock", `within ${Math.max(seconds, 1)} s of the API's`)];
}

async function examineCredentials(cloud: DeviceApi): Promise<Finding> {
  try {
    const { device, organization } = await cloud.self();
    return ok("credentials", `device "${device.name}" (${device.id}) of ${organization.name}`);
  } catch (error) {
    return codeOf(error) === "UNAUTHORIZED"
      ? fail(
          "credentials",
          "the API does not accept this device's key: it was revoked or rotated",
          "Run `grove-device register --force`, or set DEVICE_KEY to the new key.",
        )
      : fail("credentials", `they could not be tried: ${(error as Error).message}`, "Look at the API's log.");
  }
}

async function examineStream(cloud: DeviceApi): Promise<Finding> {
  try {
    const arrivals = await cloud.probe();
    const [first, last] = [arrivals[0], arrivals.at(-1)];
    if (first === undefined || last === undefined || arrivals.length < 3)
      return fail("stream", `${arrivals.length} of 3 events arrived`, ADVISED_PROXY);
    if (last - first < HELD_BACK_MS)
      return fail(
        "stream",
        `events that are sent one after another arrived together, after ${Math.round(last)} ms`,
        ADVISED_PROXY,
      );
    return ok("stream", `events come as they are sent, the first after ${Math.round(first)} ms`);
  } catch (error) {
    return codeOf(error) === "NOT_FOUND"
      ? warn("stream", "this API is too old to try it", "Update the API.")
      : fail("stream", `no stream: ${(error as Error).message}`, ADVISED_PROXY);
  }
}

const ADVISED_PROXY =
  "A proxy on the way holds streams back. Turn its response buffering off for the API (nginx: proxy_buffering off; proxy_read_timeout 60s).";
