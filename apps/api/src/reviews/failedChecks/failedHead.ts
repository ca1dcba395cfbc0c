import type { ChecksRoundContent } from "@grove/schemas";
import type { ChangeKey } from "../../changes/row";

/** A commit of a change, with one kind of its failed checks. */
export interface HeadKey extends ChangeKey {
  kind: ChecksRoundContent["kind"];
  head: string;
  /** When the read began that found it as the newest commit. */
  readAt: string;
}
