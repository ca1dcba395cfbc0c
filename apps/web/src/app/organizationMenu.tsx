import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, ChevronsUpDown } from "lucide-react";
import { Mark } from "../ui/mark";
import { Menu, MenuItem } from "../ui/menu";
import { queries } from "./api";
import { useOrganization } from "./useOrganization";

/** The name of the organization; it opens the others. */
export function OrganizationMenu() {
  const current = useOrganization();
  const organizations = useQuery(queries.organization.list.queryOptions());
  const trigger = (
    <button
      type="button"
      className="flex h-10 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left transition-colors hover:bg-hover data-popup-open:bg-hover"
    >
      <Mark />
      <span className="min-w-0 flex-1 truncate font-semibold">
        <span className="sr-only">Organization: </span>
        <bdi>{current.name}</bdi>
      </span>
      <ChevronsUpDown aria-hidden="true" className="size-3.5 text-muted" />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      {(organizations.data ?? [current]).map(({ id, slug, name }) => (
        <MenuItem key={id} render={<Link to="/o/$organization" params={{ organization: slug }} />}>
          <span className="min-w-0 flex-1 truncate">
            <bdi>{name}</bdi>
          </span>
          {id === current.id && <Check aria-label="Current" className="size-4 text-accent" />}
        </MenuItem>
      ))}
    </Menu>
  );
}
