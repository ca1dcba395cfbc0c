import { CSPProvider } from "@base-ui/react/csp-provider";
import type { ReactNode } from "react";

/** The nonce of this page. A `<style>` element that a script adds needs it; in development there is none. */
export const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";

/** Gives the components below the nonce for their styles. */
export const WithNonce = ({ children }: { children: ReactNode }) => (
  <CSPProvider nonce={nonce}>{children}</CSPProvider>
);
