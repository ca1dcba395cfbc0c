// Shows push notifications, and opens their page. It fetches and caches nothing, and holds no credential.
/// <reference lib="webworker" />

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("push", (event) => {
  const { id, title, text, url } = event.data?.json() ?? {};
  // Every push has to be shown. The same tag replaces an earlier delivery of the same notification.
  event.waitUntil(
    worker.registration.showNotification(title ?? "Grove", { body: text ?? "", tag: id, data: { url } }),
  );
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url));
});

/** @param {string | undefined} url */
async function open(url) {
  const target = new URL(url ?? "/", worker.location.origin);
  // Only pages of this console: the address comes from a push message.
  if (target.origin !== worker.location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window" });
  const existing = windows.find((client) => client.url === target.href);
  if (existing) await existing.focus();
  else await worker.clients.openWindow(target.href);
}
