const KEY = "grove.organization";

export const rememberOrganization = (slug: string): void => localStorage.setItem(KEY, slug);

/** Returns the last visited organization, or the first. */
export const chooseOrganization = <Some extends { slug: string }>(organizations: Some[]): Some | undefined =>
  organizations.find(({ slug }) => slug === localStorage.getItem(KEY)) ?? organizations[0];
