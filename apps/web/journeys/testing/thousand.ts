import type { Page } from "@grove/testing/browser";
import type { Journey } from "./journey";

/** Makes an organization's only task into a thousand, over all of its statuses. */
export const multiplyTask = ({ api }: Journey, organizationId: string): Promise<void> =>
  api.write(
    `insert into tasks (id, organization_id, slug, title, search_text, status, priority, labels, creator_id)
      select gen_random_uuid(), organization_id, 'task-' || n, 'Task ' || n, 'task ' || n, keys[n % cardinality(keys) + 1],
        priority, labels, creator_id
      from tasks, generate_series(1, 999) n,
        (select array_agg(key) keys from task_statuses where organization_id = $1) statuses
      where organization_id = $1`,
    [organizationId],
  );

/** Opens a room by its link. Resolves with the milliseconds until as many cards are drawn. */
export const timeToCards = (page: Page, room: string, count: number): Promise<number> =>
  page.evaluate(
    ([room, count]) =>
      new Promise((done) => {
        const start = performance.now();
        const look = () =>
          requestAnimationFrame(() => {
            if (document.querySelectorAll("[data-task]").length < Number(count)) look();
            else requestAnimationFrame(() => done(performance.now() - start));
          });
        const links = [...document.querySelectorAll<HTMLElement>("nav a")];
        links.find(({ textContent }) => textContent === room)?.click();
        look();
      }),
    [room, count] as const,
  );
