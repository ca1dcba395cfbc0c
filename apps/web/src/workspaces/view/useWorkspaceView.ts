import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import type { WorkspaceSearch } from "../workspaceSearch";
import { type RightSide, rightSideIsVisible, useIsWide, withRightSide, withView } from "./pageLayout";

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId");
const MAX_SESSIONS = 20;

/** Newest first. */
export function useWorkspaceSessions(workspaceId: string) {
  const { id: organizationId } = useOrganization();
  return useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, workspaceId, limit: MAX_SESSIONS }),
  );
}

/** Reads the session of a tab, even if it is too old for the list. */
function useSelectedSession(tab: string | undefined, sessions: readonly AgentSession[] | undefined) {
  const { id: organizationId } = useOrganization();
  const listed = sessions?.find(({ id }) => id === tab);
  const isUnlisted = sessions !== undefined && !listed && tab !== undefined;
  const read = useQuery({
    ...queries.agent.getSession.queryOptions({ organizationId, id: tab ?? "" }),
    enabled: isUnlisted,
  });
  return {
    selected: listed ?? (isUnlisted ? read.data : undefined),
    selectedError: isUnlisted ? read.error : null,
  };
}

/** Reads from the URL which parts of the workspace's page are visible, and changes them. */
export function useWorkspaceView(workspaceId: string) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const wide = useIsWide();
  const { data: sessions, error } = useWorkspaceSessions(workspaceId);
  /** Null if no session is to be shown first. */
  const [initialTab, setInitialTab] = useState<string | null>();
  const [quotes, setQuotes] = useState(0);
  const [focusesTerminal, setFocusesTerminal] = useState(false);
  const running = sessions?.find(({ status }) => status === "running");
  const first = running ?? (wide ? sessions?.[0] : undefined);
  // Kept, so that the page does not change its tab when a session starts or ends. An empty side gets the first one.
  const isUndecided = initialTab === undefined || (initialTab === null && wide && first !== undefined);
  if (isUndecided && (sessions || error)) setInitialTab(first?.id ?? null);
  const tab = search.tab ?? initialTab ?? undefined;
  const { only } = search;
  const isEmpty = search.tab === undefined && initialTab === null;
  // A narrow window without a terminal to show has the overview.
  const hasOverview = isEmpty && !wide && only === undefined;
  const side: RightSide = search.side ?? (hasOverview ? "overview" : "changes");
  const { selected, selectedError } = useSelectedSession(tab, sessions);
  const rightVisible = hasOverview || rightSideIsVisible(search, wide);
  const go = (next: (previous: WorkspaceSearch) => WorkspaceSearch, replace = false) =>
    void navigate({
      search: next,
      replace,
      // The diff viewer changes the fragment without the router.
      hash: location.hash.slice(1),
      resetScroll: false,
    });
  const show = (next: Parameters<typeof withView>[1]) =>
    go(({ side: shown, ...previous }) =>
      withView({ ...previous, ...(wide && shown && { side: shown }) }, next),
    );
  const focusTerminal = () => setFocusesTerminal(true);
  const openSession = (sessionId: string) => {
    focusTerminal();
    show({ tab: sessionId, ...(wide && only === "terminals" && { only }) });
  };
  return {
    wide,
    tab,
    only,
    side,
    /** Whether no session is selected or was shown first. */
    isEmpty,
    rightVisible,
    quotes,
    focusesTerminal,
    focusTerminal,
    sessions: sessions ?? [],
    selected,
    error: selectedError ?? error,
    /** Whether the tab's content is visible. */
    tabVisible: wide ? only !== "changes" : !rightVisible,
    showOnly: (next: WorkspaceSearch["only"]) => {
      // A terminal that reappears leaves the focus where it is.
      setFocusesTerminal(false);
      show({ tab: search.tab, only: next });
    },
    showRightSide: (next: RightSide) => go((previous) => withRightSide(previous, next, wide)),
    /**
     * Opens a file at the right side, or closes it if the path is undefined.
     * @param line the line to show
     */
    openFile: (path: string | undefined, line?: number) =>
      go(
        ({ file: _file, line: _line, ...previous }) => ({
          ...withRightSide(previous, "files", wide),
          ...(path !== undefined && { file: path }),
          ...(line !== undefined && { line }),
        }),
        path === search.file,
      ),
    /** Opens a session's terminal, with the focus. If it is shown already, it keeps what the user types in it. */
    openSession,
    /** Opens a session's terminal from the start, with the focus and the text that the user takes to it. */
    takeQuoteTo: (sessionId: string) => {
      setQuotes(quotes + 1);
      openSession(sessionId);
    },
  };
}

export type WorkspaceView = ReturnType<typeof useWorkspaceView>;
