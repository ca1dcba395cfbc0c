import { defineTypes } from "@grove/tsup/types";

export default defineTypes({
  entry: "packages/client/src/index.d.ts",
  // The types of the server's context would bring in the declarations of its database and its HTTP framework.
  replace: {
    "apps/api/src/trpc/context.d.ts": "export interface Context {}",
    "apps/api/src/trpc/init.d.ts": "export interface Meta {}",
  },
});
