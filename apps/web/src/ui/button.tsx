import type { ComponentProps } from "react";

const looks = {
  primary:
    "bg-accent text-on-accent hover:bg-accent/90 border-transparent font-medium [&_kbd]:border-on-accent/50 [&_kbd]:text-on-accent",
  plain:
    "bg-raised text-ink border-edge/60 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft",
  quiet: "bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-danger text-on-danger border-transparent hover:bg-danger/90 font-medium",
};

export type ButtonLook = keyof typeof looks;

/** Returns the class names of a button, for links that look like one. */
export const buttonClass = (look: ButtonLook = "plain") =>
  `inline-flex h-8 shrink-0 cursor-pointer items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-3 text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 ${looks[look]}`;

interface ButtonProps extends Omit<ComponentProps<"button">, "className"> {
  look?: ButtonLook;
  /** Disabled while a request is in flight. */
  busy?: boolean;
  /** Why it is disabled. It stays focusable, so that screen readers can read the reason. */
  reason?: string | undefined;
}

/** A button that uses `aria-disabled`, because `disabled` would lose the focus. */
export function Button({ look, busy = false, reason, type = "button", onClick, ...props }: ButtonProps) {
  const isOff = busy || reason !== undefined;
  return (
    <button
      type={type}
      className={buttonClass(look)}
      title={reason}
      aria-disabled={isOff || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
      {...props}
    />
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "aria-label"> {
  label: string;
}

/** A square button with only an icon. The label is its accessible name and tooltip. */
export const IconButton = ({ label, type = "button", ...props }: IconButtonProps) => (
  <button
    type={type}
    aria-label={label}
    title={label}
    className="inline-flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink"
    {...props}
  />
);
