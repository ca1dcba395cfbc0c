import type { ReactNode } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { Note } from "../ui/note";
import { whyNotAdmin } from "./permissions";

/** The content for admins and owners of the organization. Other members see the reason instead. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const reason = whyNotAdmin(useOrganization());
  if (reason === undefined) return children;
  return (
    <div className="max-w-xl pt-6">
      <Note title={reason} />
    </div>
  );
}
