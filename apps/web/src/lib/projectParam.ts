import type { Project } from "@grove/schemas";

/** Returns a project's URL parameter: its slug, unless that is `new`, the address of the form. */
export const projectParam = ({ id, slug }: Pick<Project, "id" | "slug">): string =>
  slug === "new" ? id : slug;
