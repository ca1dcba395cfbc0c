import { definePackage } from "@grove/tsup";

// Split, so that a page loads the part for subscriptions with its first one.
export default definePackage({ splitting: true });
