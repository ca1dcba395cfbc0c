import type { Locator } from "@grove/testing/browser";

/**
 * Drags a card of the board by its link, once it can be dragged: the library for that is loaded after the cards are
 * there.
 */
export async function dragCard(card: Locator, ...to: Parameters<Locator["dragTo"]>): Promise<void> {
  await card.locator("xpath=ancestor::li[@draggable='true']").waitFor();
  await card.dragTo(...to);
}
