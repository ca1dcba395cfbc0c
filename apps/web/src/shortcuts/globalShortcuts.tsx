import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { navigation } from "../app/navigation";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "./holdKeys";
import { type Shortcut, useShortcuts } from "./shortcuts";
import { useShortcutListener } from "./useShortcutListener";

const Palette = lazily(async () => (await import("../palette/palette")).Palette);
const Sheet = lazily(async () => (await import("./shortcutSheet")).Sheet);

export type Overlay = "palette" | "sheet";

export interface OverlayProps {
  cover: Overlay | undefined;
  onCover: (cover: Overlay | undefined) => void;
}

interface GlobalShortcutsProps extends OverlayProps {
  /** The slug of the organization to navigate in; undefined for a user without one. */
  organization: string | undefined;
  /** Opens the next agent that waits for input. */
  jump: () => void;
  /** The room's "New …" shortcut. */
  create: Shortcut | undefined;
}

/** The shortcuts of all pages for signed-in users, with the palette and the shortcut sheet. */
export function GlobalShortcuts({ cover, onCover, organization, jump, create }: GlobalShortcutsProps) {
  const navigate = useNavigate();
  const search = () => onCover("palette");
  useShortcuts({
    title: "Everywhere",
    scope: "everywhere",
    shortcuts: [
      { keys: "mod+k", title: "Search, and run an action", run: search },
      { keys: "?", title: "Show the keys", run: () => onCover("sheet") },
      ...(organization === undefined
        ? []
        : [{ keys: ".", title: "Go to the next agent that asks", run: jump }]),
      ...(create ? [create] : []),
      { keys: "/", title: "Filter this page, or search", run: () => filter(search) },
      { keys: "o", title: "Change the organization", run: () => openOrganizations(search) },
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
      {cover === "palette" && <Palette onClose={() => onCover(undefined)} />}
      {cover === "sheet" && <Sheet onClose={() => onCover(undefined)} />}
    </Suspense>
  );
}

const isShown = (element: HTMLElement) => element.checkVisibility();

function filter(otherwise: () => void): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field && isShown(field)) field.select();
  else otherwise();
}

function openOrganizations(otherwise: () => void): void {
  const button = document.querySelector<HTMLElement>("[data-organizations]");
  if (button && isShown(button)) button.click();
  else otherwise();
}
