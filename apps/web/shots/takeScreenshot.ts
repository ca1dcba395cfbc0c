import { writeFile } from "node:fs/promises";
import type { Journey } from "../journeys/testing/journey";

type Page = Awaited<ReturnType<Journey["open"]>>;

/** Writes a screenshot of a page's viewport as WebP. Returns its size in bytes. */
export async function takeScreenshot(page: Page, file: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await session.detach();
  const picture = Buffer.from(data, "base64");
  await writeFile(file, picture);
  return picture.length;
}
