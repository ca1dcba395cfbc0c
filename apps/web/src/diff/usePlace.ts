import { useEffect, useEffectEvent, useRef } from "react";
import { keepInAddress, type Place, placeIn } from "./address";

/** A file that only passes by is not put into the address. */
const PAUSE_MS = 300;

/** Keeps the file that is read in the address. The one that the page begins with is what the address says already. */
export function useAddress(path: string | undefined): void {
  const last = useRef(path);
  useEffect(() => {
    if (path === undefined || path === last.current) return;
    last.current = path;
    const timer = setTimeout(() => keepInAddress(path), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [path]);
}

/** Opens the place that the address names: now, unless there is a file to begin with, and whenever it changes. */
export function usePlace(open: (place: Place) => void, begin: () => boolean): void {
  const follow = useEffectEvent(() => {
    const place = placeIn(location.hash);
    if (place) open(place);
  });
  const start = useEffectEvent(() => begin() || follow());
  useEffect(() => {
    start();
    const onChange = () => follow();
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
}
