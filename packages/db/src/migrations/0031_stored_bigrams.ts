import { statements } from "./statements";

/**
 * Bigrams are stored, so that they are computed once per text. An index on the expression left the planner free to
 * compute them for each row that a search reads, which takes longer the longer the texts are.
 */
export const up = statements([
  "drop index tasks_bigrams",
  `alter table tasks add column search_bigrams tsvector generated always as (bigrams(search_text)) stored`,
  // Otherwise ANALYZE would read thousands of vectors, for statistics that nothing uses.
  "alter table tasks alter column search_bigrams set statistics 0",
  `do $$ begin
    create index tasks_bigrams on tasks using gin (organization_id, search_bigrams) where deleted_at is null;
  exception when undefined_object then
    -- Without btree_gin this is the index of all organizations.
    create index tasks_bigrams on tasks using gin (search_bigrams) where deleted_at is null;
  end $$`,
]);
