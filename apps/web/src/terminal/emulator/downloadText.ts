import { linesFrom } from "@grove/terminal/lines";
import type { IBufferNamespace } from "@xterm/xterm";

type Buffers = Pick<IBufferNamespace, "active" | "normal">;

/** Returns the scrollback and the screen as text. A full-screen program's screen follows what was printed before it. */
export function terminalText({ active, normal }: Buffers): string {
  const lines = linesFrom(normal, 0);
  if (active.type === "alternate") lines.push(...linesFrom(active, 0));
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns a file name that every file system accepts. */
export const textFileName = (sessionName: string): string =>
  `${
    sessionName
      .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
      .replaceAll(/^[-.]+|[-.]+$/g, "")
      .slice(0, 80) || "terminal"
  }.txt`;

/** Saves a text as a file by the browser's download. */
export function downloadText(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has read the URL by then.
  setTimeout(() => URL.revokeObjectURL(url));
}
