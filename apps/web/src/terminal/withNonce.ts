import { nonce } from "../ui/nonce";

/** Runs a library that adds `<style>` elements, and gives these the page's nonce, without which they do nothing. */
export function withNonce(run: () => void): void {
  const original = document.createElement;
  document.createElement = new Proxy(original, {
    apply(create, self, given) {
      const element: unknown = Reflect.apply(create, self, given);
      if (element instanceof HTMLStyleElement) element.nonce = nonce;
      return element;
    },
  });
  try {
    run();
  } finally {
    document.createElement = original;
  }
}
