import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type MouseEvent, Suspense, useState } from "react";
import { useWaitingSessions } from "../hooks/useWaitingSessions";
import { lazily } from "../lib/browser/lazily";
import { LiveIndicator } from "../live/liveIndicator";
import { HoldKeys } from "../shortcuts/holdKeys";
import { KeyCaps } from "../shortcuts/keyCaps";
import { AccountButton, OrganizationButton } from "./menuButtons";
import { navigation } from "./navigation";

const menus = {
  organization: async () => (await import("./organizationMenu")).OrganizationMenu,
  account: async () => (await import("./accountMenu")).AccountMenu,
};
const OrganizationMenu = lazily(menus.organization);
const AccountMenu = lazily(menus.account);

/** The page Now, which lists what waits for the user. */
const HOME = "/o/$organization";

export function Sidebar({ onSearch }: { onSearch: () => void }) {
  const waitingCount = useWaitingSessions()?.length ?? 0;
  const [open, setOpen] = useState<{ menu: keyof typeof menus; anchor: HTMLElement }>();
  const menuButtonProps = (menu: keyof typeof menus) => {
    // A fifth of the code of the page Now, so it is loaded only when a menu is about to be opened.
    const preload = () => void menus[menu]().catch(() => undefined);
    return {
      "aria-expanded": open?.menu === menu,
      onPointerEnter: preload,
      onFocus: preload,
      onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => setOpen({ menu, anchor: currentTarget }),
    };
  };
  const menuProps = open && { anchor: open.anchor, onClose: () => setOpen(undefined) };
  return (
    <div className="flex h-full flex-col gap-3 p-2">
      <OrganizationButton {...menuButtonProps("organization")} />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 cursor-pointer items-center gap-2.5 rounded-md border border-edge/60 bg-raised px-2 text-muted text-sm transition-colors hover:bg-hover"
      >
        <Search aria-hidden="true" className="size-4" strokeWidth={1.75} />
        <span className="flex-1 text-left">Search</span>
        <KeyCaps keys="mod+k" />
      </button>
      <nav aria-label="Main" className="flex-1">
        <ul className="flex flex-col gap-0.5">
          {navigation.map(({ title, icon: Icon, key, link }) => (
            <li key={title}>
              <Link
                {...link}
                title={`${title} (g ${key})`}
                className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
                {title}
                {link.to === HOME && waitingCount > 0 && (
                  <span className="ml-auto rounded-full bg-warn-soft px-1.5 font-medium text-ink text-xs">
                    {waitingCount}
                    <span className="sr-only">
                      {waitingCount === 1 ? " agent needs input" : " agents need input"}
                    </span>
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <LiveIndicator />
      <AccountButton {...menuButtonProps("account")} />
      <Suspense fallback={<HoldKeys />}>
        {menuProps && open?.menu === "organization" && <OrganizationMenu {...menuProps} />}
        {menuProps && open?.menu === "account" && <AccountMenu {...menuProps} />}
      </Suspense>
    </div>
  );
}
