import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

/** The CSP nonce of the page, which `<style>` elements added by scripts need. Empty in development. */
export const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/** Passes the nonce to Base UI's components. */
export const WithNonce = ({ children }: { children: ReactNode }) => (
  <CSPProvider nonce={nonce}>{children}</CSPProvider>
);
