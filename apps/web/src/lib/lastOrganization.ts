const KEY = "grove.organization";

export const rememberOrganization = (slug: string): void => localStorage.setItem(KEY, slug);

/** The organization that was looked at last, otherwise the first. */
export const chooseOrganization = <Some extends { slug: string }>(organizations: Some[]): Some | undefined =>
  organizations.find(({ slug }) => slug === localStorage.getItem(KEY)) ?? organizations[0];
