/*
 * Links carry their secrets in the fragment, which browsers send to no server. It is taken out of the address before
 * anything else runs, so that it is in no history and on no screen.
 */
const pages = ["/accept-invitation", "/link", "/reset-password", "/verify-email"];

const found = new URLSearchParams(pages.includes(location.pathname) ? location.hash.slice(1) : "");
if (found.size > 0) history.replaceState(null, "", location.pathname);

// Another link of the same page, opened in this tab.
addEventListener("hashchange", () => {
  if (pages.includes(location.pathname) && location.hash !== "") location.reload();
});

/** A secret of the address with which the page was opened; undefined if there is none, or if it was taken already. */
export function takeHashSecret(name: string): string | undefined {
  const value = found.get(name) ?? undefined;
  found.delete(name);
  return value;
}
