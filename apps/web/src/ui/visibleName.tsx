import { visibleName } from "@grove/schemas";
import type { ComponentProps } from "react";

interface VisibleNameProps extends Omit<ComponentProps<"bdi">, "children"> {
  children: string | null | undefined;
}

/** Text from outside, such as a name: apart from the text around it, with marks for its hidden characters. */
export const VisibleName = ({ children, title, ...props }: VisibleNameProps) => (
  <bdi title={title === undefined ? undefined : visibleName(title)} {...props}>
    {visibleName(children ?? "")}
  </bdi>
);
