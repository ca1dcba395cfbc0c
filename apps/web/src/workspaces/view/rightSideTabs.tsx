import { Link } from "@tanstack/react-router";
import { tabClass } from "../../ui/tabClass";
import type { WorkspaceSearch } from "../workspaceSearch";
import { type RightSide, withRightSide } from "./pageLayout";

const titles = { changes: "Changes", files: "Files", overview: "Overview" };
const sides: RightSide[] = ["changes", "files", "overview"];

/** The tabs of the page's right side. */
export const RightSideTabs = ({ wide }: { wide: boolean }) =>
  sides.map((side) => (
    <Link
      key={side}
      from="/o/$organization/workspaces/$workspaceId"
      to="."
      search={(previous: WorkspaceSearch) => withRightSide(previous, side, wide)}
      hash={() => location.hash.slice(1)}
      resetScroll={false}
      activeOptions={{ exact: true }}
      className={tabClass}
    >
      {titles[side]}
    </Link>
  ));
