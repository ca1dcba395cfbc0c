/** The editors that open a directory by an address, and their names. */
export const editors = {
  vscode: "VS Code",
  cursor: "Cursor",
  zed: "Zed",
  idea: "IntelliJ IDEA",
} as const;
export type Editor = keyof typeof editors;

export interface Place {
  path: string;
  /** The name by which people reach the machine with ssh. */
  sshHost?: string | null | undefined;
  /** Whether the browser runs on the machine itself. */
  here: boolean;
}

/** The address that opens a directory in an editor; undefined where no address does. */
export function editorUrl(editor: Editor, { path, sshHost, here }: Place): string | undefined {
  const inUrl = pathInUrl(path);
  if (inUrl === undefined) return undefined;
  // In local mode, a host is named for people who look from another machine, through a tunnel.
  if (sshHost) {
    const host = encodeURIComponent(sshHost).replace("%40", "@");
    if (editor === "idea") return undefined;
    return editor === "zed"
      ? `zed://ssh/${host}${inUrl}`
      : `${editor}://vscode-remote/ssh-remote+${host}${inUrl}`;
  }
  if (!here) return undefined;
  return editor === "idea" ? `idea://open?file=${inUrl}` : `${editor}://file${inUrl}`;
}

/** An absolute path with each of its names escaped; undefined for any other. */
function pathInUrl(path: string): string | undefined {
  const isOfWindows = /^[a-z]:\\/i.test(path);
  if (!isOfWindows && !path.startsWith("/")) return undefined;
  const names = isOfWindows ? ["", ...path.split("\\")] : path.split("/");
  return names.map(encodeURIComponent).join("/");
}

const KEY = "grove.editor";
const isEditor = (value: string): value is Editor => Object.hasOwn(editors, value);

/** The editor that was chosen in this browser. */
export function chosenEditor(): Editor {
  const stored = localStorage.getItem(KEY) ?? "";
  return isEditor(stored) ? stored : "vscode";
}

export const chooseEditor = (editor: Editor): void => localStorage.setItem(KEY, editor);
