export { Screen, type ScreenOptions } from "./screen";
