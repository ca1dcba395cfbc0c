import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { apart } from "./build/apart.ts";
import { precompress } from "./build/precompress.ts";

const own = (path: string) => fileURLToPath(new URL(`src/diff/${path}`, import.meta.url));

export default defineConfig({
  plugins: [apart("/client/src/subscriptions.ts", "@trpc/"), react(), tailwindcss(), precompress()],
  resolve: {
    alias: [
      // The viewer of diffs would bring in every grammar and theme, other highlighters with WASM, and whole files.
      { find: /^shiki\/langs$/, replacement: own("languages.ts") },
      {
        find: /^(shiki\/(wasm|engine\/oniguruma)|@pierre\/highlights.*|@pierre\/theming\/themes|\.\/VirtualizedFile\.js)$/,
        replacement: own("unusedModules.ts"),
      },
    ],
  },
  // The API replaces it with the nonce of each answer.
  html: { cspNonce: "CSP_NONCE" },
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    manifest: true,
    license: { fileName: "third-party-licenses.json" },
    // Inlined files would be data: addresses, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // The hub's code for streams is loaded by the page, too, where there is no SharedWorker.
  worker: { format: "es" },
  server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
});
