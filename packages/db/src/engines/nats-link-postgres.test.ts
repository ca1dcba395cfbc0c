import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { selfSigned } from "@grove/testing/certificate";
import { natsSources, startNats } from "@grove/testing/nats";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { connectToNats } from "./nats";

/** Connects, and tells what it hears. Which authorities a process trusts is decided at its start. */
const program = `
const { connectToNats } = await import(process.argv[1]);
const { log } = console;
// A subject of its own: whoever connects publishes on it, to prove that it may.
const subject = "a." + process.pid;
try {
  const [one, another] = [await connectToNats(process.argv[2], [subject]), await connectToNats(process.argv[2], [subject])];
  one.subscribe(subject, (text) => (log("heard " + text), one.close(), another.close()));
  await one.flushed();
  another.publish(subject, "hello");
} catch ({ message }) {
  log(message);
}`;

it.each(natsSources())(
  "speaks TLS with the server of source %s, if it trusts the authority",
  async (source) => {
    const tls = selfSigned("localhost", 30);
    const nats = await startNats({ source, tls, token: "a token" });
    onTestFinished(() => nats.stop());
    const authority = join(await temporaryDirectory(), "authority.pem");
    writeFileSync(authority, tls.cert);
    const outcome = async (url: string, trust: NodeJS.ProcessEnv) => {
      const options = ["--import", import.meta.resolve("tsx"), "--input-type=module", "-e", program];
      const { ended } = startProgram(
        [process.execPath, ...options, new URL("nats.ts", import.meta.url).href, url],
        { env: { PATH: process.env.PATH, ...trust }, endAfter: onTestFinished },
      );
      const { stdout, stderr } = await ended;
      return stdout.trim() || stderr;
    };
    const [trusted, untrusted, plain] = await Promise.all([
      outcome(nats.url, { NODE_EXTRA_CA_CERTS: authority }),
      outcome(nats.url, {}),
      // The server asks for TLS, and gets it.
      outcome(nats.url.replace("tls:", "nats:"), { NODE_EXTRA_CA_CERTS: authority }),
    ]);
    expect(trusted).toBe("heard hello");
    expect(plain).toBe("heard hello");
    expect(untrusted).toMatch(
      /^Cannot connect to NATS at tls:\/\/localhost:\d+: self-signed certificate\. .*NODE_EXTRA_CA_CERTS.*$/,
    );
  },
);

it.each(natsSources())("signs in to the server of source %s with a token", async (source) => {
  const nats = await startNats({ source, token: "a token" });
  onTestFinished(() => nats.stop());
  const link = await connectToNats(nats.url, ["a"]);
  link.close();
  await expect(connectToNats(nats.url.replace("a%20token", "another"), ["a"])).rejects.toThrow(
    /^Cannot connect to NATS at nats:\/\/127[^@]*Authorization Violation/,
  );
  await expect(connectToNats(nats.url.replace("nats:", "tls:"), ["a"])).rejects.toThrow(
    /does not support 'tls'/,
  );
});
