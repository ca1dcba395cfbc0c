import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { duplicateModules } from "./build/duplicateModules.ts";
import { precompress } from "./build/precompress.ts";

const own = (path: string) => fileURLToPath(new URL(`src/diff/${path}`, import.meta.url));

/** Icons of the frame and its menus, which every page of an organization shows. */
const frameIcons = new RegExp(
  `\\blucide-react\\b.*/(${[
    "bell",
    "bot",
    "folder-git-2",
    "key-round",
    "layers",
    "log-out",
    "monitor-dot",
    "plus",
    "search",
    "settings",
    "square-kanban",
    "wifi-off",
    "x",
  ].join("|")})\\.m?js$`,
);

export default defineConfig({
  plugins: [
    duplicateModules("/client/src/subscriptions.ts", "@trpc/"),
    react(),
    tailwindcss(),
    precompress(),
  ],
  resolve: {
    alias: [
      // The diff viewer imports every grammar and theme, and other highlighters with WASM.
      { find: /^shiki\/langs$/, replacement: own("languages.ts") },
      {
        find: /^(shiki\/(wasm|engine\/oniguruma)|@pierre\/highlights.*|@pierre\/theming\/themes)$/,
        replacement: own("unusedModules.ts"),
      },
    ],
  },
  // The API replaces it with the nonce of each response.
  html: { cspNonce: "CSP_NONCE" },
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    manifest: true,
    license: { fileName: "third-party-licenses.json" },
    // Inlined files would be data: addresses, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The entry lists the names of all files.
        chunkFileNames: "assets/[name]-[hash:7].js",
        // Icons that most pages show are bundled in one file, since each file costs more than its icon.
        codeSplitting: {
          groups: [
            { name: "icons", test: /\blucide-react\b/, minShareCount: 16 },
            { name: "frameIcons", test: frameIcons },
            {
              name: "sessionStates",
              test: /\/src\/lib\/agentSessions\/(sessionActivity|sessionName|waitingSessions)\.ts$/,
            },
            { name: "shortcuts", test: /\/src\/shortcuts\/(earlyKeys|holdKeys|keyCaps|singleKeys)\.tsx?$/ },
          ],
        },
      },
    },
  },
  // The hub's code for streams is loaded by the page, too, where there is no SharedWorker.
  worker: { format: "es" },
  server: { proxy: { "/api": { target: "http://127.0.0.1:3000", changeOrigin: false } } },
});
