/*
 * Links carry their secrets in the fragment, which browsers do not send to servers. This file removes the fragment
 * before any other code runs, so that the secret stays out of the history and the address bar.
 */
const pages = ["/accept-invitation", "/link", "/reset-password", "/verify-email"];

const secrets = new URLSearchParams(pages.includes(location.pathname) ? location.hash.slice(1) : "");
if (secrets.size > 0) history.replaceState(null, "", location.pathname);

// A second link to the same page, opened in this tab.
addEventListener("hashchange", () => {
  if (pages.includes(location.pathname) && location.hash !== "") location.reload();
});

/** Returns a secret of the page's link, once; undefined after that, or if the link has none. */
export function takeHashSecret(name: string): string | undefined {
  const value = secrets.get(name) ?? undefined;
  secrets.delete(name);
  return value;
}
