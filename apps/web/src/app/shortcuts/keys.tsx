import { useNavigate, useRouterState } from "@tanstack/react-router";
import { Suspense, useCallback } from "react";
import { useTitleCount } from "../../ui/page";
import { nextAsking } from "../asking";
import { lazily } from "../lazily";
import { navigation } from "../navigation";
import { useNotifications } from "../notify";
import { useAsking } from "../useAsking";
import { useOrganization } from "../useOrganization";
import { type Shortcut, useShortcuts } from "./shortcuts";
import { useKeys } from "./useKeys";

const Palette = lazily(async () => (await import("../palette/palette")).Palette);
const Sheet = lazily(async () => (await import("./sheet")).Sheet);

/** A window above the page. */
export type Cover = "palette" | "sheet";

interface KeysProps {
  cover: Cover | undefined;
  onCover: (cover: Cover | undefined) => void;
}

/** The keys that work everywhere, the palette and the sheet; and the tab's own ways to call the person. */
export function Keys({ cover, onCover }: KeysProps) {
  const asking = useAsking();
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const open = useCallback(
    (sessionId: string) =>
      void navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } }),
    [navigate, organization],
  );
  useTitleCount(asking?.length ?? 0);
  useNotifications(asking, open);

  // `/o/acme/agents/1`
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, , , room = "", thing] = path.split("/");
  const jump = () => {
    const next = nextAsking(asking ?? [], room === "agents" ? thing : undefined);
    if (next) open(next.id);
    else void navigate({ to: "/o/$organization", params: { organization } });
  };
  const create = useCreate(room);
  useShortcuts({
    title: "Everywhere",
    scope: "everywhere",
    shortcuts: [
      { keys: "mod+k", title: "Search, and run an action", run: () => onCover("palette") },
      { keys: "?", title: "Show the keys", run: () => onCover("sheet") },
      { keys: ".", title: "Go to the next agent that asks", run: jump },
      ...(create ? [create] : []),
      { keys: "/", title: "Filter this page, or search", run: () => filter(() => onCover("palette")) },
      { keys: "o", title: "Change the organization", run: () => openOrganizations(() => onCover("palette")) },
    ],
  });
  useShortcuts({
    title: "Go to",
    scope: "everywhere",
    shortcuts: navigation.map(({ key, title, link }) => ({
      keys: `g ${key}`,
      title,
      run: () => void navigate({ ...link, params: { organization } }),
    })),
  });
  // After the tables above: keys that were pressed before are looked up now.
  useKeys();
  return (
    <Suspense>
      {cover === "palette" && <Palette onClose={() => onCover(undefined)} />}
      {cover === "sheet" && <Sheet onClose={() => onCover(undefined)} />}
    </Suspense>
  );
}

/** The new thing of a room. */
function useCreate(room: string): Shortcut | undefined {
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const create = navigation.find(
    ({ link }) => link.to === (room === "" ? "/o/$organization" : `./${room}`),
  )?.create;
  return (
    create && {
      keys: "n",
      title: create.title,
      run: () => void navigate({ ...create.link, params: { organization } }),
    }
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
