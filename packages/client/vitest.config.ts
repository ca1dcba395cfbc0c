import { defineSuite, unlessBrowser } from "@grove/testing/suite";

export default defineSuite({ exclude: unlessBrowser(["src/browser.test.ts"]) });
