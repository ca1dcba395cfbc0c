import { nonce } from "./nonce";

let isStamping = false;

/**
 * Patches `document.createElement` to give each `<style>` element the page's CSP nonce. For libraries that have no
 * option for it.
 */
export function stampStyles(): void {
  if (isStamping) return;
  isStamping = true;
  document.createElement = new Proxy(document.createElement, {
    apply(create, self, given) {
      const element: unknown = Reflect.apply(create, self, given);
      if (element instanceof HTMLStyleElement) element.nonce = nonce;
      return element;
    },
  });
}
