/** How each reserved character is written in the name and the password of an address. */
const HINT =
  "In its name and password write # as %23, / as %2F, ? as %3F, % as %25, @ as %40 and a space as %20.";

/** Why `value` is not the address of a server with a name and a password; undefined if it is. */
export function whyNoConnectionUrl(value: string): string | undefined {
  if (!URL.canParse(value)) return `is not a valid address. ${HINT}`;
  const { hash, pathname, search, username, password, host } = new URL(value);
  // An unescaped character ends the host early: the rest of the password is parsed as a path or a query.
  const isCut = hash.includes("@") || pathname.includes("@") || /^\?[^=]*@/.test(search);
  if (isCut) return `has a reserved character in its name or password. ${HINT}`;
  return [username, password, host, pathname].every(canDecode)
    ? undefined
    : `has a % that begins no escape. ${HINT}`;
}

function canDecode(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
