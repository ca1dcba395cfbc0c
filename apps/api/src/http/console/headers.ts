const policy = (nonce: string) =>
  Object.entries({
    "default-src": "'none'",
    "script-src": `'self' 'nonce-${nonce}'`,
    "style-src": "'self'",
    "style-src-elem": `'self' 'nonce-${nonce}'`,
    // Attributes have no selectors, and nothing can be loaded from elsewhere by them.
    "style-src-attr": "'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    // The viewer of diffs writes HTML. The default policy passes it through DOMPurify, which has its own policy.
    "trusted-types": "grove-workers grove-push default dompurify",
  })
    .map(([directive, value]) => `${directive} ${value}`)
    .join("; ");

/**
 * The headers of a page. An injected script could run commands on every machine of the team. So the page runs only its
 * own files, and connects only to its own origin.
 * @param nonce for the scripts and styles of this response only
 * @param secure whether people reach the service by https
 */
export const pageHeaders = (nonce: string, secure: boolean): Record<string, string> => ({
  "content-security-policy": policy(nonce),
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), clipboard-read=(self), clipboard-write=(self)",
  ...(secure && { "strict-transport-security": "max-age=31536000" }),
});
