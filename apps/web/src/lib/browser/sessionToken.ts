/*
 * In local mode, the session token is in local storage, which is per port, and is sent as a Bearer token. A cookie
 * would also be sent to programs on other ports of this machine. Server mode uses an HttpOnly cookie.
 */
const KEY = "grove.token";

export const storedToken = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export function storeToken(token: string | undefined): void {
  if (token === undefined) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, token);
}
