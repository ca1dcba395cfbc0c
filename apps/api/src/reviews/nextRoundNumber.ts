import { sql } from "kysely";
import type { ChangeKey } from "../changes/row";

/** SQL for the number of a change's next round. The change is locked. */
export const nextRoundNumber = ({ organizationId, changeId }: ChangeKey) =>
  sql<number>`(select coalesce(max(number), 0) + 1 from review_rounds
    where organization_id = ${organizationId} and change_id = ${changeId})`;
