import { nonce } from "./nonce";

let isPatched = false;

/**
 * Patches `document.createElement` to give each `<style>` element the page's CSP nonce. For libraries that have no
 * option for it.
 */
export function addStyleNonces(): void {
  if (isPatched) return;
  isPatched = true;
  document.createElement = new Proxy(document.createElement, {
    apply(create, self, args) {
      const element: unknown = Reflect.apply(create, self, args);
      if (element instanceof HTMLStyleElement) element.nonce = nonce;
      return element;
    },
  });
}
