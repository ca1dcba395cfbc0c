import ipaddr from "ipaddr.js";

const global: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Addresses in a public range that belong to a cloud's internals: Azure's wire server. */
const metadata = new Set(["168.63.129.16"]);

/**
 * Whether an address is on the public internet. It must not be of this machine or network, reserved (RFC 6890), a
 * cloud's metadata service, or another address in disguise (mapped, translated or tunneled).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // Accepts only global unicast IPv6 (RFC 4291, section 2.4). Other ranges can embed IPv4 addresses.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(global)) return false;
  return parsed.range() === "unicast" && !metadata.has(parsed.toString());
}
