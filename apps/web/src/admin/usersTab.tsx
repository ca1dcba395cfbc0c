import type { AdminUser } from "@grove/schemas";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash } from "lucide-react";
import { useState } from "react";
import { ShowMore } from "../components/showMore";
import { client, queries } from "../lib/api";
import { pagesQuery } from "../lib/queries/pagesQuery";
import { Button } from "../ui/button";
import { Problem } from "../ui/problem";
import { StateLabel, type StateStyle } from "../ui/stateLabel";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { UserDialog } from "./userDialog";
import { useSearchField } from "./useSearchField";

const enabled: StateStyle = { icon: CircleCheck, tone: "good", label: "Enabled" };
const disabled: StateStyle = { icon: CircleSlash, tone: "bad", label: "Disabled" };

/** The accounts, newest first. */
export function UsersTab() {
  const { search, field } = useSearchField("Search names and addresses");
  const list = useInfiniteQuery({
    ...pagesQuery({
      queryKey: [...queries.admin.listUsers.pathKey(), "pages", search],
      list: (page) => client.admin.listUsers.query({ ...page, ...(search !== undefined && { search }) }),
    }),
    placeholderData: keepPreviousData,
  });
  const users = list.data?.pages.flat();
  const [opened, setOpened] = useState<AdminUser>();
  return (
    <>
      {field}
      {list.error && (
        <Problem
          title="Could not load the accounts."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {users?.length === 0 && <p className="text-muted">No account matches this search.</p>}
      {users && users.length > 0 && (
        <Table label="Accounts" columns={["Name", "State", "Created", "Actions"]}>
          {users.map((user) => (
            <Row key={user.id}>
              <Cell wrap>
                <VisibleName className="font-medium">{user.name}</VisibleName>
                {user.isAdmin && <span className="text-muted"> (admin)</span>}
                <VisibleName className="wrap-anywhere block text-muted text-sm">{user.email}</VisibleName>
              </Cell>
              <Cell>
                <StateLabel state={user.disabledAt === null ? enabled : disabled} />
              </Cell>
              <Cell quiet>
                <Time at={user.createdAt} />
              </Cell>
              <Cell actions>
                <Button look="quiet" aria-label={`Manage ${user.name}`} onClick={() => setOpened(user)}>
                  Manage
                </Button>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <ShowMore list={list} />
      {opened && <UserDialog user={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
