import type { Inputs } from "@grove/client";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

const SCRIPT = "/sw.js";

/** Allows the page to register only this service worker. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("grove-push", {
  createScriptURL: (url) => {
    if (url !== SCRIPT) throw new Error("This script may not become a service worker.");
    return url;
  },
});

/** Why this browser cannot get push notifications; undefined if it can. */
export function whyNoPush(): string | undefined {
  if (!isSecureContext) return "Push notifications need https, or this machine's own browser.";
  if (!("serviceWorker" in navigator && "PushManager" in window))
    return "This browser does not support push notifications. On iOS, add Grove to the Home Screen first.";
  if (Notification.permission === "denied")
    return "You have blocked notifications of this site. Allow them in your browser's settings for this site.";
  return undefined;
}

/**
 * Subscribes this browser.
 * @param publicKey the server's key, in base64url
 * @throws {DOMException} if the user refuses, or the browser's push service cannot be reached
 */
export async function subscribeBrowser(publicKey: string): Promise<Inputs["user"]["subscribePush"]> {
  const registration = await navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT);
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh ?? "", auth: keys.auth ?? "", label: browserName() };
}

export async function unsubscribeBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** The browser and its system, as the user would name them. */
function browserName(): string {
  const { userAgent } = navigator;
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? "Browser";
  const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(userAgent)?.[1];
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : browser;
  return system === undefined ? name : `${name} on ${system}`;
}
