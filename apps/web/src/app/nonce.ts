/** The nonce of this page. A `<style>` element that a script adds needs it; in development there is none. */
export const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? "";
