/** The code of an error of Node, such as EEXIST; undefined for anything else. */
export const codeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
