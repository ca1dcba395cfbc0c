import { useNavigate } from "@tanstack/react-router";
import { Suspense } from "react";
import { navigation } from "../app/navigation";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "./holdKeys";
import { type Shortcut, useShortcuts } from "./shortcuts";
import { useKeys } from "./useKeys";

const Palette = lazily(async () => (await import("../palette/palette")).Palette);
const Sheet = lazily(async () => (await import("./sheet")).Sheet);

/** A window above the page. */
export type Cover = "palette" | "sheet";

export interface CoverProps {
  cover: Cover | undefined;
  onCover: (cover: Cover | undefined) => void;
}

interface EverywhereProps extends CoverProps {
  /** The short name of the organization to go to; undefined for a person who is in none. */
  organization: string | undefined;
  /** Goes to the next agent that asks. */
  jump: () => void;
  /** Makes the new thing of the room. */
  create: Shortcut | undefined;
}

/** The keys of every page of a person who is signed in, the palette and the sheet. */
export function Everywhere({ cover, onCover, organization, jump, create }: EverywhereProps) {
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
  // After the tables above: keys that were pressed before are looked up now.
  useKeys();
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
