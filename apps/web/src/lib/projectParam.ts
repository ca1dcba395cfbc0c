import type { Project } from "@grove/schemas";

/** The word for a project in addresses: its slug, unless that means the page for a new one. */
export const projectParam = ({ id, slug }: Pick<Project, "id" | "slug">): string =>
  slug === "new" ? id : slug;
