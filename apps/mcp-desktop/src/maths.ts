import { installMaths, type Maths } from "./page/maths";

/** The functions that the page has too. */
export const maths = {} as Maths;
installMaths(maths);
