import ipaddr from "ipaddr.js";

const global: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/** Public by its number, and yet the cloud's own: Azure's wire server. */
const metadata = new Set(["168.63.129.16"]);

/**
 * Whether an address is of the public internet: not of this machine or network, no cloud's metadata service, no other
 * one in disguise (mapped, translated or tunneled), and none that is reserved (RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  // Of IPv6 only what is assigned to the internet (RFC 4291, section 2.4): the rest holds translations of IPv4.
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(global)) return false;
  return parsed.range() === "unicast" && !metadata.has(parsed.toString());
}
