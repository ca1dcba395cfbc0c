import { registerCustomCSSVariableTheme } from "@pierre/diffs";
import "./syntax.css";

for (const name of ["grove-light", "grove-dark"]) registerCustomCSSVariableTheme(name, {});

/** Both themes refer to the variables of `syntax.css`, which have a value for each. */
export const THEME = { light: "grove-light", dark: "grove-dark" };
