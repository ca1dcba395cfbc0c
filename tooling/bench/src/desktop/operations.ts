import type { Row } from "../benchmark";
import { type Effects, TEXT } from "./page";

/** A screen draws sixty frames a second. */
export const FRAME_MS = 1_000 / 60;

interface Operation {
  /** The only effects that the page must report. */
  readonly effects?: Partial<Effects>;
  /** Multiplies the rounds. The point between two frames at which an operation begins costs up to a frame. */
  readonly rounds?: number;
  aim(floor: number, fastestPeer: number): Row["aim"];
}

const atMost = (max: number): Row["aim"] => ({ of: "grove", atMost: Math.round(max * 10) / 10 });
const times = (max: number) => (): Row["aim"] => ({ of: "ratio", atMost: max });
const frames = (count: number) => (floor: number) => atMost(floor + count * FRAME_MS);

/** The order of the operations. Navigation is last, since it invalidates what the programs know about the page. */
export const operationNames = [
  "find and click",
  "click, known",
  "type 20 characters",
  "key combination",
  "evaluate 1 + 1",
  "console",
  "snapshot of all",
  "screenshot",
  "navigate, loaded",
] as const;
export type OperationName = (typeof operationNames)[number];

export const operations: Record<OperationName, Operation> = {
  "find and click": { effects: { clicks: 1 }, aim: frames(2) },
  "click, known": { effects: { clicks: 1 }, aim: frames(2) },
  "type 20 characters": { effects: { text: TEXT }, aim: frames(1) },
  "key combination": { effects: { keys: 1 }, aim: frames(1) },
  "evaluate 1 + 1": { aim: (floor) => atMost(floor + 2) },
  console: { aim: () => atMost(1.5) },
  "snapshot of all": { aim: times(2) },
  screenshot: { rounds: 3, aim: (_, fastestPeer) => atMost(fastestPeer) },
  "navigate, loaded": { effects: { isNew: true }, aim: times(1.2) },
};

/** Runs each operation with one program. Each returns the length of its answers. */
export type Driver = Record<OperationName, () => Promise<number>>;

export const nothingDone: Effects = { clicks: 0, keys: 0, text: "", isNew: false };
