import { besideModules, defineProgram } from "@grove/tsup";

// Everything but native code goes into the files, so that the tarball has one dependency and no part that is never
// used. Modules that are loaded only when they are needed, such as the clients of providers, stay in their own files.
export default defineProgram({
  entry: { main: "src/main.ts", thread: "src/cli/thread.ts" },
  splitting: true,
  // An optional module of pg that is not installed.
  external: ["pg-native"],
  esbuildPlugins: [besideModules(/\/@electric-sql\/pglite\/dist\/.*\.js$/)],
  // Names and lines stay readable.
  esbuildOptions(esbuild) {
    esbuild.minifyWhitespace = true;
    esbuild.lineLimit = 200;
    esbuild.legalComments = "none";
  },
});
