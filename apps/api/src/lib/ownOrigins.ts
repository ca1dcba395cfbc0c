/** The origins of this service's own pages, in addition to its own address. */
export const ownOrigins = ({
  publicUrl,
  webOrigins,
}: {
  publicUrl?: string | undefined;
  webOrigins: readonly string[];
}): Set<string> =>
  new Set([...(publicUrl === undefined ? [] : [publicUrl]), ...webOrigins].map((url) => new URL(url).origin));
