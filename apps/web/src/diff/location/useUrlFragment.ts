import { useEffect, useEffectEvent, useRef } from "react";
import { type DiffLocation, parseFragment, putFileInUrl } from "./urlFragment";

/** A file that is scrolled past faster than this is not put into the URL. */
const DEBOUNCE_MS = 300;

/** Keeps the current file in the URL. The first file is skipped, since the URL already names it. */
export function useFileInUrl(path: string | undefined): void {
  const lastPath = useRef(path);
  useEffect(() => {
    if (path === undefined || path === lastPath.current) return;
    lastPath.current = path;
    const timer = setTimeout(() => putFileInUrl(path), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [path]);
}

/**
 * Opens the location in the URL, on mount and on each `hashchange`.
 * @param openOther opens another file on mount instead, and returns whether it did
 */
export function useUrlFragment(open: (target: DiffLocation) => void, openOther: () => boolean): void {
  const openCurrent = useEffectEvent(() => {
    const target = parseFragment(location.hash);
    if (target) open(target);
  });
  const openInitial = useEffectEvent(() => openOther() || openCurrent());
  useEffect(() => {
    openInitial();
    const onChange = () => openCurrent();
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
}
