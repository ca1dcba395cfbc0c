/** The id of a commit as people read it: its first eight digits, which are unique in nearly every repository. */
export const shortCommit = (commit: string): string => commit.slice(0, 8);
