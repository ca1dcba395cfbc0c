import { Link } from "@tanstack/react-router";
import { AccountMenu } from "./accountMenu";
import { navigation } from "./navigation";
import { OrganizationMenu } from "./organizationMenu";

/** The organization, its rooms, and the person's own menu. */
export const Sidebar = () => (
  <div className="flex h-full flex-col gap-3 p-2">
    <OrganizationMenu />
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
    <AccountMenu />
  </div>
);
