import { statements } from "./statements";

/**
 * Bigrams are stored, so that they are computed once per text. With an index on the expression, the planner could
 * compute them for each row that a search reads.
 */
export const up = statements([
  "drop index tasks_bigrams",
  // The organization is one of the lexemes: the index then finds its tasks by itself.
  `alter table tasks add column search_bigrams tsvector generated always as (
    coalesce(bigrams(search_text), '') || array_to_tsvector(array[organization_id::text])) stored`,
  // Otherwise ANALYZE would read thousands of vectors, for statistics that nothing uses.
  "alter table tasks alter column search_bigrams set statistics 0",
  "create index tasks_bigrams on tasks using gin (search_bigrams) where deleted_at is null",
  // Only this index may be used: reading the organization's tasks one by one reads all of their vectors. The planner
  // estimates the number of rows, and not how long their values are. No index has an operator for <>.
  `create function tasks_with_bigrams(organization uuid, wanted tsquery, most integer) returns setof uuid
    language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
    begin atomic
      select tasks.id from tasks
      where deleted_at is null and search_bigrams @@ (('''' || organization || '''')::tsquery && wanted)
        and not organization_id <> organization
      limit most;
    end`,
]);
