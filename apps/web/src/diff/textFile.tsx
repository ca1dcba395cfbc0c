import { CodeView, type CodeViewHandle, WorkerPoolContextProvider } from "@pierre/diffs/react";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useTheme } from "../lib/browser/theme";
import "./diff.css";
import { markHidden } from "./hiddenCharacters";
import { languageOf } from "./languageOf";
import { THEME } from "./syntaxTheme";
import { addViewerStyles } from "./viewerStyles";
import { POOL, startPool } from "./workerPool";

interface TextFileProps {
  path: string;
  text: string;
  /** Changes with the text. */
  version: string;
  /** The line to select and to scroll to. */
  line: number | undefined;
  /** The user has selected a line. */
  onLine: (line: number) => void;
}

/** The highlighted text of a file, with line numbers. */
export function TextFile({ path, text, version, line, onLine }: TextFileProps) {
  const view = useRef<CodeViewHandle<undefined, undefined>>(null);
  const theme = useTheme();
  const versions = useRef(0);
  useEffect(() => startPool(), []);
  const items = useMemo(() => {
    const file = { name: path, contents: text, lang: languageOf(path), cacheKey: `${path} ${version}` };
    return [{ id: path, type: "file" as const, file, version: ++versions.current }];
  }, [path, text, version]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more text may contain the line.
  useEffect(() => {
    const selected = view.current?.getSelectedLines()?.range.start;
    if (line === undefined || selected === line) return;
    view.current?.setSelectedLines({ id: path, range: { start: line, end: line } });
    view.current?.scrollTo({
      type: "line",
      id: path,
      lineNumber: line,
      align: "center",
      behavior: "instant",
    });
  }, [path, line, text]);
  const region = useCallback((element: HTMLDivElement | null) => {
    element?.setAttribute("role", "region");
    element?.setAttribute("aria-label", "Text");
    element?.setAttribute("tabindex", "0");
    // The keyboard opened the file: the text takes the focus from the part of the page that contains it.
    const { activeElement } = document;
    if (activeElement?.localName === "section" && activeElement.contains(element)) element?.focus();
  }, []);
  return (
    <div className="grove-diff flex min-h-0 flex-1 flex-col">
      <WorkerPoolContextProvider {...POOL}>
        <CodeView
          ref={view}
          containerRef={region}
          className="min-h-0 flex-1 overflow-auto"
          items={items}
          onSelectedLinesChange={(selection) => {
            const start = selection?.range.start;
            if (start !== undefined && start !== line) onLine(start);
          }}
          options={{
            theme: THEME,
            themeType: theme,
            overflow: "scroll",
            disableFileHeader: true,
            enableLineSelection: true,
            onPostRender: (node, _instance, phase) => {
              if (phase === "unmount") return;
              addViewerStyles(node);
              // The text scrolls sideways, which must also work by keyboard.
              const code = node.shadowRoot?.querySelector<HTMLElement>("[data-code]");
              if (code) code.tabIndex = 0;
              markHidden(node);
            },
            layout: { paddingTop: 0, paddingBottom: 8, gap: 0 },
          }}
        />
      </WorkerPoolContextProvider>
    </div>
  );
}
