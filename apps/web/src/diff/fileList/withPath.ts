/** Returns a copy of the set that includes the path, or not. */
export const withPath = (
  paths: ReadonlySet<string>,
  path: string,
  isIncluded: boolean,
): ReadonlySet<string> =>
  new Set([...[...paths].filter((each) => each !== path), ...(isIncluded ? [path] : [])]);
