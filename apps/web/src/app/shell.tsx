import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu as MenuIcon } from "lucide-react";
import { Suspense, useState } from "react";
import { lazily } from "../lib/browser/lazily";
import { DisconnectedIndicator } from "../live/liveIndicator";
import { useLiveUpdates } from "../live/useLiveUpdates";
import { keepEarlyKeys } from "../shortcuts/earlyKeys";
import type { Overlay } from "../shortcuts/globalShortcuts";
import { IconButton } from "../ui/button";
import { Logo } from "../ui/logo";
import { useHasToasts } from "../ui/showToast";
import { Sidebar } from "./sidebar";

const OrganizationShortcuts = lazily(async () => {
  // The page is painted before its shortcuts are loaded. Keys pressed before that are queued.
  keepEarlyKeys();
  return (await import("../shortcuts/organizationShortcuts")).OrganizationShortcuts;
});
const ToastRegion = lazily(async () => (await import("../ui/toastRegion")).ToastRegion);

/** The frame of an organization's pages: the sidebar and the page. On narrow screens, a button opens the sidebar. */
export function Shell() {
  useLiveUpdates();
  const hasMessages = useHasToasts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [openAt, setOpenAt] = useState<string>();
  const [overlay, setOverlay] = useState<Overlay>();
  // Navigation closes the sidebar.
  const isOpen = openAt === path;
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="-translate-y-16 fixed top-2 left-2 z-30 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="flex h-12 items-center gap-2 border-line border-b px-2 md:hidden">
        <IconButton
          label={isOpen ? "Close navigation" : "Open navigation"}
          aria-expanded={isOpen}
          onClick={() => setOpenAt(isOpen ? undefined : path)}
        >
          <MenuIcon aria-hidden="true" className="size-4" />
        </IconButton>
        <Logo />
        <span className="font-semibold">Grove</span>
        <DisconnectedIndicator />
      </div>
      <div
        className={`${isOpen ? "block" : "hidden"} border-line border-b md:sticky md:top-0 md:block md:h-dvh md:w-56 md:shrink-0 md:border-r md:border-b-0`}
      >
        <Sidebar onSearch={() => setOverlay("palette")} />
      </div>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 bg-surface outline-none">
        <Outlet />
      </main>
      <Suspense>{hasMessages && <ToastRegion />}</Suspense>
      <Suspense>
        <OrganizationShortcuts overlay={overlay} onOverlay={setOverlay} />
      </Suspense>
    </div>
  );
}
