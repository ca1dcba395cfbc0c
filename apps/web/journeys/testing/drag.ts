import type { Locator } from "@grove/testing/browser";

/**
 * Drags a card of the board by its link. Waits for the drag library, which is loaded after the cards are rendered.
 */
export async function dragCard(card: Locator, ...to: Parameters<Locator["dragTo"]>): Promise<void> {
  await card.locator("xpath=ancestor::li[@draggable='true']").waitFor();
  await card.dragTo(...to);
}
