import { statements } from "./statements";

/** How many commands of a device are open that were made before others. */
export const up = statements([
  // A function, so that a statement which seldom needs the number is not planned for every part of the table.
  `create function open_commands_before(organization uuid, device uuid, before uuid, most integer) returns bigint
    language plpgsql stable as $$ begin
      return (select count(*) from (
        select from device_commands where organization_id = organization and device_id = device and id < before
          and status in ('queued', 'claimed', 'running') limit most) as older);
    end $$`,
]);
