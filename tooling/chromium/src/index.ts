export { type Chromium, startChromium } from "./start";
