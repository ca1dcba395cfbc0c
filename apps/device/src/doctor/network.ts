import { once } from "node:events";
import { isIP } from "node:net";
import { connect as connectTls, type PeerCertificate } from "node:tls";
import { DAY_MS, type DoctorFinding, finding, messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import { codeOf, type DeviceApi } from "../cloud/deviceApi";

const ANSWER_MS = 10_000;
const SKEW_MS = 60_000;
const EXPIRES_SOON_DAYS = 14;
/** The probe's events are sent over 667 ms. If they arrive within less than half of that, something held them back. */
const HELD_BACK_MS = 333;

/** Checks the API and everything on the way to it. Each check needs the ones before it to pass. */
export async function examineApi(apiUrl: string, cloud: DeviceApi | undefined): Promise<DoctorFinding[]> {
  const url = new URL(apiUrl);
  const findings: DoctorFinding[] = [];
  if (url.protocol === "https:") findings.push(await examineTls(url));
  else if (!/^(localhost|127\..*|\[::1\])$/.test(url.hostname))
    findings.push(
      finding.warn(
        "tls",
        `${apiUrl} is not https, so the device key travels unencrypted`,
        "Use an https address.",
      ),
    );
  // If the TLS check fails, requests would fail for the same reason.
  if (findings[0]?.state !== "fail") findings.push(...(await examineAddress(apiUrl)));
  if (findings.some(({ state }) => state === "fail") || !cloud) return findings;
  const credentials = await examineCredentials(cloud);
  findings.push(credentials);
  if (credentials.state !== "fail") findings.push(await examineStream(cloud));
  return findings;
}

async function examineTls(url: URL): Promise<DoctorFinding> {
  const port = Number(url.port) || 443;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const servername = isIP(host) === 0 ? host : undefined;
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect", { signal: timeoutSignal(ANSWER_MS) });
    const certificate = socket.getPeerCertificate();
    if (!socket.authorized)
      return finding.fail(
        "tls",
        `its certificate is not trusted: ${socket.authorizationError}`,
        advice(`${socket.authorizationError}`),
      );
    return expiry(certificate);
  } catch (error) {
    return finding.fail(
      "tls",
      `no TLS connection to ${url.host}: ${messageOf(error)}`,
      "Check the port, and that the server there uses TLS.",
    );
  } finally {
    socket.destroy();
  }
}

function expiry({ valid_to }: PeerCertificate): DoctorFinding {
  const days = Math.floor((Date.parse(valid_to) - Date.now()) / DAY_MS);
  const validityText = `certificate valid until ${valid_to}`;
  return days < EXPIRES_SOON_DAYS
    ? finding.warn("tls", validityText, `It expires in ${days} days: renew it on the server.`)
    : finding.ok("tls", validityText);
}

function advice(error: string): string {
  if (/EXPIRED|NOT_YET_VALID/.test(error)) return "Renew it on the server, or correct this machine's clock.";
  if (/ALTNAME/.test(error)) return "Use the host name that the certificate is for.";
  return "If it is signed by a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate, for grove-device too.";
}

async function examineAddress(apiUrl: string): Promise<DoctorFinding[]> {
  try {
    const began = Date.now();
    const response = await fetch(`${apiUrl}/health`, {
      signal: timeoutSignal(ANSWER_MS),
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
        finding.fail(
          "address",
          `${apiUrl}/health answered ${response.status}: this is not Grove's API, or a proxy answers for it`,
          "Check API_URL: it is the address that `register` was given. A proxy must forward all paths.",
        ),
      ];
    return [finding.ok("address", `${apiUrl} answers in ${took} ms`), ...examineClock(response, began, took)];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const why = cause instanceof Error && cause.message ? cause.message : String(cause);
    return [
      finding.fail(
        "address",
        `${apiUrl} cannot be reached: ${why}`,
        "Check the address, that the API is running, and that firewalls and proxies let this machine through.",
      ),
    ];
  }
}

/** The Date header has whole seconds and was written at some time within the round trip. */
function examineClock(response: Response, began: number, took: number): DoctorFinding[] {
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return [];
  const skew = began + took / 2 - theirs;
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return Math.abs(skew) > SKEW_MS
    ? [
        finding.warn(
          "clock",
          `this machine's clock is ${seconds} s ${skew > 0 ? "ahead of" : "behind"} the API's`,
          "Set it by NTP. Commands still work, but times in logs cannot be compared.",
        ),
      ]
    : [finding.ok("clock", `within ${Math.max(seconds, 1)} s of the API's`)];
}

async function examineCredentials(cloud: DeviceApi): Promise<DoctorFinding> {
  try {
    const { device, organization } = await cloud.self();
    return finding.ok("credentials", `device "${device.name}" (${device.id}) of ${organization.name}`);
  } catch (error) {
    return codeOf(error) === "UNAUTHORIZED"
      ? finding.fail(
          "credentials",
          "the API does not accept this device's key: it was revoked or rotated",
          "Run `grove-device register --force`, or set DEVICE_KEY to the new key.",
        )
      : finding.fail("credentials", `they could not be tried: ${messageOf(error)}`, "Check the API's log.");
  }
}

async function examineStream(cloud: DeviceApi): Promise<DoctorFinding> {
  try {
    const arrivals = await cloud.probe();
    const [first, last] = [arrivals[0], arrivals.at(-1)];
    if (first === undefined || last === undefined || arrivals.length < 3)
      return finding.fail("stream", `${arrivals.length} of 3 events arrived`, ADVISED_PROXY);
    if (last - first < HELD_BACK_MS)
      return finding.fail(
        "stream",
        `events that are sent one after another arrived together, after ${Math.round(last)} ms`,
        ADVISED_PROXY,
      );
    return finding.ok("stream", `events come as they are sent, the first after ${Math.round(first)} ms`);
  } catch (error) {
    return finding.fail("stream", `no stream: ${messageOf(error)}`, ADVISED_PROXY);
  }
}

const ADVISED_PROXY =
  "A proxy between them buffers streams. Turn off its response buffering for the API (nginx: proxy_buffering off; proxy_read_timeout 60s).";
