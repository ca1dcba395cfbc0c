import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { initials } from "../ui/initials";
import { Logo } from "../ui/logo";
import { VisibleName } from "../ui/visibleName";

/* The buttons of the sidebar's menus. The menus are loaded lazily; their buttons are part of the frame. */

type ButtonProps = Omit<ComponentProps<"button">, "className" | "type">;

const menuButtonClass =
  "flex h-10 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover aria-expanded:bg-hover";

export function OrganizationButton(props: ButtonProps) {
  const { name } = useOrganization();
  return (
    <button type="button" data-organizations aria-haspopup="menu" className={menuButtonClass} {...props}>
      <Logo />
      <span className="min-w-0 flex-1 truncate font-semibold">
        <span className="sr-only">Organization: </span>
        <VisibleName>{name}</VisibleName>
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 text-muted" />
    </button>
  );
}

export function AccountButton(props: ButtonProps) {
  const { name } = useUser();
  return (
    <button type="button" aria-haspopup="menu" className={menuButtonClass} {...props}>
      <span
        aria-hidden="true"
        className="flex size-6 items-center justify-center rounded-full bg-accent-soft font-medium text-accent text-xs"
      >
        {initials(name)}
      </span>
      <span className="min-w-0 flex-1 truncate">
        <span className="sr-only">Account: </span>
        <VisibleName>{name}</VisibleName>
      </span>
    </button>
  );
}
