import { visibleName } from "@grove/schemas";
import type { ComponentProps } from "react";

interface VisibleNameProps extends Omit<ComponentProps<"bdi">, "children"> {
  children: string | null | undefined;
}

/** Untrusted text, such as a name: isolates its direction, and marks its invisible characters. */
export const VisibleName = ({ children, title, ...props }: VisibleNameProps) => (
  <bdi title={title === undefined ? undefined : visibleName(title)} {...props}>
    {visibleName(children ?? "")}
  </bdi>
);
