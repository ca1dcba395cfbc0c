import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "../ui/button";

interface ShowMoreProps {
  list: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}

/** The button that loads a list's next page. */
export const ShowMore = ({ list }: ShowMoreProps) =>
  list.hasNextPage && (
    <div className="pt-3">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
