import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { navigation } from "../app/navigation";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "./holdKeys";
import { useShortcutListener } from "./useShortcutListener";
import { type Shortcut, useShortcuts } from "./useShortcuts";

const Palette = lazily(async () => (await import("../palette/palette")).Palette);
const ShortcutSheet = lazily(async () => (await import("./shortcutSheet")).ShortcutSheet);

export type Overlay = "palette" | "sheet";

export interface OverlayProps {
  overlay: Overlay | undefined;
  onOverlay: (overlay: Overlay | undefined) => void;
}

interface GlobalShortcutsProps extends OverlayProps {
  /** The slug of the organization to navigate in; undefined for a user without one. */
  organization: string | undefined;
  /** Opens the next agent that waits for input. */
  openNextAgent: () => void;
  /** The page's "New …" shortcut. */
  createShortcut: Shortcut | undefined;
}

/** The shortcuts of all pages for signed-in users, with the palette and the shortcut sheet. */
export function GlobalShortcuts({
  overlay,
  onOverlay,
  organization,
  openNextAgent,
  createShortcut,
}: GlobalShortcutsProps) {
  const navigate = useNavigate();
  const search = () => onOverlay("palette");
  useShortcuts({
    title: "Everywhere",
    scope: "everywhere",
    shortcuts: [
      { keys: "mod+k", title: "Search or run a command", run: search },
      { keys: "?", title: "Show keyboard shortcuts", run: () => onOverlay("sheet") },
      ...(organization === undefined
        ? []
        : [{ keys: ".", title: "Go to the next agent that needs input", run: openNextAgent }]),
      ...(createShortcut ? [createShortcut] : []),
      { keys: "/", title: "Filter this page, or search", run: () => focusFilter(search) },
      { keys: "o", title: "Switch organization", run: () => openOrganizations(search) },
    ],
  });
  useShortcuts({
    title: "Go to",
    scope: "everywhere",
    shortcuts:
      organization === undefined
        ? []
        : navigation.map(({ key, title, link }) => ({
            keys: `g ${key}`,
            title,
            run: () => void navigate({ ...link, params: { organization } }),
          })),
  });
  // After the registrations above, because this runs the queued key presses.
  useShortcutListener();
  return (
    <Suspense fallback={<HoldKeys />}>
      {overlay === "palette" && <Palette onClose={() => onOverlay(undefined)} />}
      {overlay === "sheet" && <ShortcutSheet onClose={() => onOverlay(undefined)} />}
    </Suspense>
  );
}

const isShown = (element: HTMLElement) => element.checkVisibility();

function focusFilter(fallback: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field && isShown(field)) field.select();
  else fallback();
}

function openOrganizations(fallback: () => void): void {
  const button = document.querySelector<HTMLElement>("[data-organizations]");
  if (button && isShown(button)) button.click();
  else fallback();
}
