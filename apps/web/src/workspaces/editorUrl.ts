/** The editors that can open a directory or a file by URL. */
export const editors = {
  vscode: "VS Code",
  cursor: "Cursor",
  zed: "Zed",
  idea: "IntelliJ IDEA",
} as const;
export type Editor = keyof typeof editors;

export interface EditorLocation {
  path: string;
  /** A line of the file at the path. */
  line?: number | undefined;
  /** The machine's host name for ssh. */
  sshHost?: string | null | undefined;
  /** Whether the browser runs on the same machine. */
  isSameMachine: boolean;
}

/** Returns the URL that opens a directory or a file in an editor, if the editor supports one. */
export function editorUrl(
  editor: Editor,
  { path, line, sshHost, isSameMachine }: EditorLocation,
): string | undefined {
  const encodedPath = pathInUrl(path);
  if (encodedPath === undefined) return undefined;
  const suffix = line === undefined ? "" : `:${line}`;
  // In local mode, an ssh host is set for users who connect from another machine through a tunnel.
  if (sshHost) {
    const host = encodeURIComponent(sshHost).replace("%40", "@");
    if (editor === "idea") return undefined;
    return editor === "zed"
      ? `zed://ssh/${host}${encodedPath}${suffix}`
      : `${editor}://vscode-remote/ssh-remote+${host}${encodedPath}${suffix}`;
  }
  if (!isSameMachine) return undefined;
  return editor === "idea"
    ? `idea://open?file=${encodedPath}${line === undefined ? "" : `&line=${line}`}`
    : `${editor}://file${encodedPath}${suffix}`;
}

/** Percent-encodes an absolute path. Returns undefined for a relative one. */
function pathInUrl(path: string): string | undefined {
  const isWindows = /^[a-z]:\\/i.test(path);
  if (!isWindows && !path.startsWith("/")) return undefined;
  const names = isWindows ? ["", ...path.split("\\")] : path.split("/");
  return names.map(encodeURIComponent).join("/");
}

const KEY = "grove.editor";
const isEditor = (value: string): value is Editor => Object.hasOwn(editors, value);

/** The editor chosen in this browser. */
export function chosenEditor(): Editor {
  const stored = localStorage.getItem(KEY) ?? "";
  return isEditor(stored) ? stored : "vscode";
}

export const chooseEditor = (editor: Editor): void => localStorage.setItem(KEY, editor);
