import type { ITheme } from "@xterm/xterm";

const light: ITheme = {
  background: "#ffffff",
  foreground: "#141816",
  cursor: "#0c7347",
  cursorAccent: "#ffffff",
  selectionBackground: "#0c734740",
  black: "#141816",
  red: "#b3261e",
  green: "#0c7347",
  yellow: "#855600",
  blue: "#1f5fbf",
  magenta: "#8a3ba8",
  cyan: "#0b6b7a",
  white: "#545e59",
  brightBlack: "#66726c",
  brightRed: "#c4342b",
  brightGreen: "#11834f",
  brightYellow: "#936000",
  brightBlue: "#2c6fd1",
  brightMagenta: "#9a48b8",
  brightCyan: "#0f7888",
  brightWhite: "#2c332f",
};

const dark: ITheme = {
  background: "#0b0e0d",
  foreground: "#e3e8e5",
  cursor: "#46c48b",
  cursorAccent: "#0b0e0d",
  selectionBackground: "#46c48b47",
  black: "#2a322e",
  red: "#ff8277",
  green: "#46c48b",
  yellow: "#e3b655",
  blue: "#79aefc",
  magenta: "#d79bf0",
  cyan: "#5ccbdb",
  white: "#c9d1cd",
  brightBlack: "#8a958f",
  brightRed: "#ffa39b",
  brightGreen: "#71d9a9",
  brightYellow: "#f0cb7c",
  brightBlue: "#a0c6ff",
  brightMagenta: "#e5baf7",
  brightCyan: "#8bdde8",
  brightWhite: "#f4f7f5",
};

/** The colours of text that was found. The current match stands out from the others. */
const matchColours = {
  light: { match: "#fcf2da", current: "#f2c14e" },
  dark: { match: "#3d3213", current: "#8a6a14" },
};

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Returns the terminal's colours for the page's theme. */
export const currentColours = (): ITheme => (isDark() ? dark : light);

/** Returns the colours of matches for the page's theme. */
export const currentMatchColours = () => matchColours[isDark() ? "dark" : "light"];

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && prefersDark.matches);
}

/** Calls the listener when the page's theme changes. Returns a function that removes it. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  prefersDark.addEventListener("change", listener);
  return () => {
    observer.disconnect();
    prefersDark.removeEventListener("change", listener);
  };
}
