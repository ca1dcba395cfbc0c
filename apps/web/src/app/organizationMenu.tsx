import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Plus, Settings } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuItem, MenuSeparator } from "../ui/menu";
import { VisibleName } from "../ui/visibleName";

/** The user's organizations, the settings of the current one, and the form for a new one. */
export function OrganizationMenu(props: { anchor: HTMLElement; onClose: () => void }) {
  const current = useOrganization();
  const organizations = useQuery(queries.organization.list.queryOptions());
  return (
    <AnchoredMenu {...props}>
      {(organizations.data ?? [current]).map(({ id, slug, name }) => (
        <MenuItem key={id} render={<Link to="/o/$organization" params={{ organization: slug }} />}>
          <span className="min-w-0 flex-1 truncate">
            <VisibleName>{name}</VisibleName>
          </span>
          {id === current.id && <Check aria-label="Current" className="size-4 text-accent" />}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem render={<Link to="/o/$organization/settings" params={{ organization: current.slug }} />}>
        <Settings aria-hidden="true" className="size-4" />
        Organization settings
      </MenuItem>
      <MenuItem render={<Link to="/new-organization" />}>
        <Plus aria-hidden="true" className="size-4" />
        New organization
      </MenuItem>
    </AnchoredMenu>
  );
}
