import ipaddr from "ipaddr.js";

/** Public by its number, and yet the cloud's own: Azure's wire server. */
const metadata = new Set(["168.63.129.16"]);

/**
 * Whether an address is of the public internet: not of this machine or network, no cloud's metadata service, no other
 * one in disguise (mapped, translated or tunneled), and none that is reserved (RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && !metadata.has(parsed.toString());
}
