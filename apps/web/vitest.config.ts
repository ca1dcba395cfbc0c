import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  browsers: { plain: ["src/**/*.test.ts", "build/**/*.test.ts"], inOne: ["**"] },
});
