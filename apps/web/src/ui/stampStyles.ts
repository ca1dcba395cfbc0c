import { nonce } from "./nonce";

let isStamping = false;

/**
 * From now on, gives each `<style>` element that a script makes the page's nonce, without which it does nothing. For
 * libraries that cannot be told of a nonce.
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
