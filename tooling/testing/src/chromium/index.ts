export { type Kind, presentChromiums } from "./present.js";
export { type Chromium, startChromium } from "./start";
