import { statements } from "./statements";

/** Indexes for counting tasks by status, and for searches that pg_trgm's index cannot answer. */
export const up = statements([
  // A count by status reads only the index.
  "drop index tasks_organization_status",
  `create index tasks_organization_status on tasks (organization_id, status, created_at desc, id desc)
    include (deleted_at)`,

  // The characters of a text, and each two that are neighbours. They are in a tsvector because GIN has no quicker
  // comparison of strings. No dictionary is used.
  `create function bigrams(value text) returns tsvector language sql immutable strict parallel safe cost 1000
    return (select array_to_tsvector(array_agg(distinct gram))
      from (select string_to_array(value, null) as characters) as split,
        unnest(characters, characters[2:]) as pairs (one, next),
        lateral (values (one), (one || next)) as grams (gram)
      where gram is not null)`,
  `do $$ begin
    create index tasks_bigrams on tasks using gin (organization_id, bigrams(search_text)) where deleted_at is null;
    -- Otherwise ANALYZE would split thousands of texts, for statistics that nothing uses.
    alter index tasks_bigrams alter column 2 set statistics 0;
  exception when undefined_object then
    -- Without btree_gin this is the index of all organizations.
    create index tasks_bigrams on tasks using gin (bigrams(search_text)) where deleted_at is null;
    alter index tasks_bigrams alter column 1 set statistics 0;
  end $$`,
]);
