/** The themes and widths of each screen on the sheet. */
export const themes = ["light", "dark"] as const;
export const widths = [360, 1280, 1920] as const;
