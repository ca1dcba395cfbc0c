/** Whether a name matches one of the patterns, in which `*` stands for any characters. */
export const fitsOne = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => new RegExp(`^${pattern.split("*").map(literally).join(".*")}$`, "s").test(name));

const literally = (text: string) => text.replace(/[\\^$.|?+()[\]{}-]/g, "\\$&");
