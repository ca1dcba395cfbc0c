/** Returns a parser of the query string that keeps these parameters. */
export const pickTexts =
  <Key extends string>(...keys: Key[]) =>
  (search: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(search).filter(
        ([key, value]) => keys.some((one) => one === key) && typeof value === "string",
      ),
    ) as { [key in Key]?: string };
