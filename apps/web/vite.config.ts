import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { apart } from "./build/apart.ts";
import { precompress } from "./build/precompress.ts";

export default defineConfig({
  plugins: [apart("/client/src/subscriptions.ts", "@trpc/"), react(), tailwindcss(), precompress()],
  // The API replaces it with the nonce of each answer.
  html: { cspNonce: "CSP_NONCE" },
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    manifest: true,
    // Inlined files would be data: addresses, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // Its code for streams is loaded by the page, too, where there is no SharedWorker.
  worker: { format: "es" },
  server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
});
