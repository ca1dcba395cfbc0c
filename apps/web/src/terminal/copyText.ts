import { showToast } from "../ui/showToast";

/** Copies a text to the clipboard. Shows a toast if the browser refuses. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    showToast({
      title: "Could not copy the text.",
      description: "The browser denied access to the clipboard. Allow it for this page, and try again.",
    });
  }
}
