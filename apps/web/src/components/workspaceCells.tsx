import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { NONE } from "../ui/none";
import { Brief, Cell } from "../ui/table";
import { VisibleName } from "../ui/visibleName";

export function WorkspaceNameCell({ id, name }: { id: string; name: string }) {
  const { slug: organization } = useOrganization();
  return (
    <Cell>
      <Brief>
        <Link
          to="/o/$organization/workspaces/$workspaceId"
          params={{ organization, workspaceId: id }}
          className="wrap-anywhere font-medium hover:underline"
        >
          <VisibleName>{name}</VisibleName>
        </Link>
      </Brief>
    </Cell>
  );
}

export const BranchCell = ({ branch }: { branch: unknown }) => (
  <Cell quiet>
    <Brief>
      <VisibleName className="wrap-anywhere font-mono text-sm">
        {typeof branch === "string" ? branch : NONE}
      </VisibleName>
    </Brief>
  </Cell>
);
