import { defineSuite } from "./src/suite/index.js";

export default defineSuite({
  browsers: { plain: ["src/*.test.ts", "src/postgres/*.test.ts", "src/chromium/find.test.ts"] },
});
