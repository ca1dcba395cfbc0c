import { MAX_DERIVED_SLUG_LENGTH, toSlug } from "@grove/schemas";
import { Field } from "../ui/field";

/** A project's other fields. Name and slug are derived from the repository until the user edits them. */
export interface EditedFields {
  name?: string;
  slug?: string;
  branch: string;
}

/** Returns a project's name and slug: the user's edits, otherwise the values derived from its repository. */
export function namesOf(given: EditedFields, repoName: string | undefined): { name: string; slug: string } {
  const name = given.name ?? repoName ?? "";
  return { name, slug: given.slug ?? toSlug(name, MAX_DERIVED_SLUG_LENGTH) };
}

interface ProjectFieldsProps {
  given: EditedFields;
  onChange: (given: EditedFields) => void;
  repoName: string | undefined;
  slugError: string | undefined;
}

/** The fields of a project that is added by its URL. */
export function ProjectFields({ given, onChange, repoName, slugError }: ProjectFieldsProps) {
  const { name, slug } = namesOf(given, repoName);
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Name"
          name="name"
          value={name}
          onChange={(event) => onChange({ ...given, name: event.target.value })}
          maxLength={200}
          required
        />
        <Field
          label="Short name in URLs"
          name="slug"
          value={slug}
          onChange={(event) => onChange({ ...given, slug: event.target.value })}
          maxLength={80}
          spellCheck={false}
          required
          error={slugError}
        />
      </div>
      <Field
        label="Default branch"
        hint="New workspaces start from it."
        name="defaultBranch"
        value={given.branch}
        onChange={(event) => onChange({ ...given, branch: event.target.value })}
        maxLength={200}
        spellCheck={false}
        required
      />
    </>
  );
}
