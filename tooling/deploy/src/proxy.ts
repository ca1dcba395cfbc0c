import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Started, startProgram, succeed } from "@grove/testing/process";

/** The ports of the two instances. A proof has a network of its own, so nothing else has them. */
export const apiPorts = [3101, 3102] as const;
/** The address of the proxy, which is PUBLIC_URL. */
export const ADDRESS = "https://localhost:8443";
const { PATH } = process.env;
const shipped = (file: string) => join(import.meta.dirname, "..", "proxies", file);

/** Makes a certificate of localhost, in the files in which the proxies look for theirs. */
export async function makeCertificate(directory: string): Promise<void> {
  const [certificate, key] = ["fullchain.pem", "privkey.pem"].map((file) => join(directory, file)) as [
    string,
    string,
  ];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
  ];
  await succeed(["openssl", ...made, ...subject, "-keyout", key, "-out", certificate], { env: { PATH } });
  await writeFile(
    join(directory, "both.pem"),
    (await readFile(certificate, "utf8")) + (await readFile(key, "utf8")),
  );
}

/** Starts a proxy with the configuration that is shipped, and with addresses, ports and paths of this machine. */
export async function startProxy(name: string, directory: string): Promise<Started> {
  const [first, second] = apiPorts.map((port) => `127.0.0.1:${port}`) as [string, string];
  const write = async (file: string): Promise<string> => {
    const text = (await readFile(shipped(file), "utf8"))
      .replaceAll("api-1:3000", first)
      .replaceAll("api-2:3000", second)
      .replaceAll("/etc/grove/tls", directory)
      .replace(/(listen |bind :)80\b/, "$18080")
      .replace(/(listen |bind :)443\b/, "$18443");
    const path = join(directory, file);
    await writeFile(path, text);
    return path;
  };
  const start = (command: string[], env: Record<string, string> = {}) =>
    startProgram(command, { env: { PATH: `${PATH}:/usr/sbin`, HOME: directory, ...env }, cwd: directory });
  if (name === "nginx")
    return start([
      "nginx",
      "-p",
      directory,
      "-c",
      await write("nginx.conf"),
      "-g",
      `daemon off; pid ${directory}/pid;`,
    ]);
  if (name === "haproxy") return start(["haproxy", "-db", "-f", await write("haproxy.cfg")]);
  if (name === "caddy")
    return start(["caddy", "run", "--adapter", "caddyfile", "--config", await write("Caddyfile")], {
      GROVE_DOMAIN: new URL(ADDRESS).host,
    });
  throw new Error(`There is no configuration for ${name}.`);
}
