import { defineTypes } from "@grove/tsup/types";

export default defineTypes({
  entry: "packages/client/src/index.d.ts",
  // What the server's context is made of would bring the declarations of its database and its HTTP framework.
  replace: {
    "apps/api/src/trpc/context.d.ts": "export interface Context {}",
    "apps/api/src/trpc/init.d.ts": "export interface Meta {}",
  },
});
