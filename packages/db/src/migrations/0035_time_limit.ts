import { statements } from "./statements";

/**
 * A time limit for statements of the embedded engine, which cannot end a running one from outside. A condition calls it
 * for each row.
 */
export const up = statements([
  `create function require_time(allowed interval) returns boolean language plpgsql volatile as $$ begin
    if clock_timestamp() > statement_timestamp() + allowed then
      raise query_canceled using message = 'canceling statement due to its time limit';
    end if;
    return true;
  end $$`,
]);
