import { generateKeyPairSync, sign } from "node:crypto";

/** An element of DER (X.690): tag, length, content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const SEQUENCE = 0x30;
const SET = 0x31;
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const utcTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().replace(/\D/g, "").slice(2, 14)}Z`));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const ECDSA_WITH_SHA256 = der(SEQUENCE, oid("2a8648ce3d040302"));

/** A self-signed certificate (RFC 5280) for a host name and its key, as PEM. Valid for `days` from yesterday. */
export function selfSigned(host: string, days: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid("550403"), der(0x0c, Buffer.from(host)))));
  const from = Date.now() - 86_400_000;
  const validity = der(SEQUENCE, utcTime(new Date(from)), utcTime(new Date(from + days * 86_400_000)));
  const alternativeName = der(0x04, der(SEQUENCE, der(0x82, Buffer.from(host))));
  const unsigned = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, der(SEQUENCE, oid("551d11"), alternativeName))),
  );
  const signature = bits(sign("sha256", unsigned, privateKey));
  const certificate = der(SEQUENCE, unsigned, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
