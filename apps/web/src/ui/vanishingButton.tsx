import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { Button } from "./button";

/** A button that disappears when its work is done. A focused one passes the focus to `main`. */
export function VanishingButton(props: Omit<ComponentProps<typeof Button>, "ref">) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current && current === document.activeElement) document.querySelector("main")?.focus();
    };
  }, []);
  return <Button ref={button} {...props} />;
}
