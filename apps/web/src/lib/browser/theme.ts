import { useSyncExternalStore } from "react";

const KEY = "grove.theme";

export const themes = [
  { value: "system", title: "System" },
  { value: "light", title: "Light" },
  { value: "dark", title: "Dark" },
] as const;
export type Theme = (typeof themes)[number]["value"];

const changes = new EventTarget();

const currentTheme = (): Theme => {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
};

/** Returns the chosen theme. `public/theme.js` applies the stored theme before the first paint. */
export const useTheme = (): Theme =>
  useSyncExternalStore((listener) => {
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  }, currentTheme);

export function setTheme(theme: Theme): void {
  if (theme === "system") {
    delete document.documentElement.dataset.theme;
    localStorage.removeItem(KEY);
  } else {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem(KEY, theme);
  }
  changes.dispatchEvent(new Event("change"));
}
