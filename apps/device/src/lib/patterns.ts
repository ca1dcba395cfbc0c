/** Whether a name matches one of the patterns, in which `*` matches any characters. */
export const matchesAnyGlob = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => new RegExp(`^${pattern.split("*").map(literally).join(".*")}$`, "s").test(name));

const literally = (text: string) => text.replace(/[\\^$.|?+()[\]{}-]/g, "\\$&");
