import { useState } from "react";

const KEY = "grove.terminal.screenReader";

/** Whether terminals are rendered for screen readers. Stored in this browser. */
export function useScreenReaderMode() {
  const [screenReader, setState] = useState(() => localStorage.getItem(KEY) === "true");
  const setScreenReader = (on: boolean) => {
    localStorage.setItem(KEY, String(on));
    setState(on);
  };
  return { screenReader, setScreenReader };
}
