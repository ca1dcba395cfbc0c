import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ShowMore } from "../components/showMore";
import { client, queries } from "../lib/api";
import { pagesQuery } from "../lib/queries/pagesQuery";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { useSearchField } from "./useSearchField";

/** The organizations, newest first. */
export function OrganizationsTab() {
  const { search, field } = useSearchField("Search names");
  const list = useInfiniteQuery({
    ...pagesQuery({
      queryKey: [...queries.admin.listOrganizations.pathKey(), "pages", search],
      list: (page) =>
        client.admin.listOrganizations.query({ ...page, ...(search !== undefined && { search }) }),
    }),
    placeholderData: keepPreviousData,
  });
  const organizations = list.data?.pages.flat();
  return (
    <>
      {field}
      {list.error && (
        <Problem
          title="Could not load the organizations."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {organizations?.length === 0 && <p className="text-muted">No organization matches this search.</p>}
      {organizations && organizations.length > 0 && (
        <Table label="Organizations" columns={["Name", "Members", "Created"]}>
          {organizations.map(({ id, name, slug, members, createdAt }) => (
            <Row key={id}>
              <Cell wrap>
                <VisibleName className="font-medium">{name}</VisibleName>
                <span className="block font-mono text-muted text-sm">{slug}</span>
              </Cell>
              <Cell>{members}</Cell>
              <Cell quiet>
                <Time at={createdAt} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      <ShowMore list={list} />
    </>
  );
}
