/** The folders of the packages that are published. All have the same version. */
export const published = [
  ...["apps/grove", "apps/api", "apps/device", "apps/mcp-cloud", "apps/mcp-desktop"],
  ...["packages/client", "packages/schemas"],
];
