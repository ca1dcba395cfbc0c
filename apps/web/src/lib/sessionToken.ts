/*
 * In local mode, the session is kept here and sent as a Bearer token: a cookie would also be sent to programs on other
 * ports of this machine. Storage is per port. A server has a cookie that no script can read.
 */
const KEY = "grove.token";

export const storedToken = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export function storeToken(token: string | undefined): void {
  if (token === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
}
