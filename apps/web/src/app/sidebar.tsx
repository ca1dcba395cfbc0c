import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { AccountButton, OrganizationButton } from "./menuButtons";
import { navigation } from "./navigation";

const OrganizationMenu = lazy(async () => ({
  default: (await import("./organizationMenu")).OrganizationMenu,
}));
const AccountMenu = lazy(async () => ({ default: (await import("./accountMenu")).AccountMenu }));

/** The organization, its rooms, and the person's own menu. */
export function Sidebar() {
  /** The menu whose button was pressed while it was loading. */
  const [pressed, setPressed] = useState<"organization" | "account">();
  return (
    <div className="flex h-full flex-col gap-3 p-2">
      <Suspense fallback={<OrganizationButton onClick={() => setPressed("organization")} />}>
        <OrganizationMenu defaultOpen={pressed === "organization"} />
      </Suspense>
      <nav aria-label="Rooms" className="flex-1">
        <ul className="flex flex-col gap-0.5">
          {navigation.map(({ title, icon: Icon, link }) => (
            <li key={title}>
              <Link
                {...link}
                className="flex h-8 items-center gap-2.5 rounded-md px-2 text-muted transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                <Icon aria-hidden="true" className="size-4" strokeWidth={1.75} />
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Suspense fallback={<AccountButton onClick={() => setPressed("account")} />}>
        <AccountMenu defaultOpen={pressed === "account"} />
      </Suspense>
    </div>
  );
}
