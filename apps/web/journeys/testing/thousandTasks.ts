import type { Page } from "@grove/testing/browser";
import type { Journey } from "./journey";
import { longestFrame } from "./measured";

/** Copies an organization's only task a thousand times, over all statuses. */
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

/** Opens the board by its link. Resolves with the milliseconds until the cards that fit are painted. */
export const timeToCards = (page: Page, count: number): Promise<number> =>
  page.evaluate(
    (count) =>
      new Promise((done) => {
        const start = performance.now();
        const look = () =>
          requestAnimationFrame(() => {
            if (document.querySelectorAll("[data-task]").length < count) look();
            else setTimeout(() => done(performance.now() - start));
          });
        const links = [...document.querySelectorAll<HTMLElement>("nav a")];
        links.find(({ textContent }) => textContent === "Tasks")?.click();
        look();
      }),
    count,
  );

/** Drags a card over others and beyond the board. Resolves with the milliseconds of the longest frame. */
export async function dragOverBoard(page: Page): Promise<number> {
  const cards = page.getByRole("region", { name: "In progress" }).getByRole("listitem");
  const [from, to] = [await cards.first().boundingBox(), await cards.nth(5).boundingBox()];
  if (!from || !to) throw new Error("the board has no cards");
  const frame = await longestFrame(page);
  await page.mouse.move(from.x + 40, from.y + 40);
  await page.mouse.down();
  for (let step = 0; step <= 30; step += 1)
    await page.mouse.move(from.x + 40, from.y + 40 + ((to.y - from.y) * step) / 30);
  await page.mouse.move(0, 0);
  await page.mouse.up();
  return frame();
}
