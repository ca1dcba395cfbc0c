import type { Project } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { Note } from "../ui/note";
import { VisibleName } from "../ui/visibleName";

interface AddedProjectNotesProps {
  projects: readonly Project[];
  /** Whether this page is adding a project itself, which may arrive before the answer. */
  isAdding: boolean;
}

/** Announces projects that were added by another page or by the command line since this page was opened. */
export function AddedProjectNotes({ projects, isAdding }: AddedProjectNotesProps) {
  const { slug: organization } = useOrganization();
  const [initialIds] = useState(() => new Set(projects.map(({ id }) => id)));
  const added = isAdding ? [] : projects.filter(({ id }) => !initialIds.has(id));
  return (
    <div role="status" className="mb-5 flex max-w-xl flex-col gap-2 empty:hidden">
      {added.map(({ id, name }) => (
        <Note key={id} look="good">
          <p>
            The project{" "}
            <Link
              to="/o/$organization/projects/$project"
              params={{ organization, project: id }}
              className="text-accent underline"
            >
              <VisibleName>{name}</VisibleName>
            </Link>{" "}
            was added.
          </p>
        </Note>
      ))}
    </div>
  );
}
