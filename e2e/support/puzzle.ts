import { expect, type Page } from '@playwright/test';
import type { Shopper } from './accounts';
import { readSecret } from './challenges';
import { buyButton } from './shop';

export const handle = (page: Page) => page.getByRole('slider', { name: 'Place of the piece' });
export const check = (page: Page) => page.getByRole('button', { name: 'Check' });

/**
 * Runs the step that makes the page fetch a challenge, and returns the challenge's secret; by then the puzzle is on
 * the page.
 */
export async function nextSecret(
  page: Page,
  { userId }: Pick<Shopper, 'userId'>,
  saleId: string,
  act: () => Promise<unknown>,
) {
  // A busy shop may refuse at first; then the page asks again.
  const given = page.waitForResponse(
    (response) => response.url().endsWith(`/${saleId}/challenge`) && response.ok(),
  );
  await act();
  const { challengeId, kind } = await (await given).json();
  if (kind === 'slider') await expect(handle(page)).toBeVisible();
  if (kind === 'arithmetic') await expect(page.getByLabel('What does it come to?')).toBeVisible();
  if (kind === 'sound') await expect(page.getByRole('button', { name: 'Play the beeps' })).toBeVisible();
  return readSecret({ saleId, userId }, challengeId);
}

/** Returns where to take the handle, and where to let it go so that the piece is at `x` of `maxX`. */
export async function wayTo(page: Page, x: number): Promise<{ from: Point; to: Point }> {
  await handle(page).scrollIntoViewIfNeeded();
  const [box, track] = [await handle(page).boundingBox(), await handle(page).locator('..').boundingBox()];
  if (!box || !track) throw new Error('there is no slider');
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const maxX = Number(await handle(page).getAttribute('aria-valuemax'));
  return { from, to: { x: from.x + ((track.width - box.width) * x) / maxX, y: from.y } };
}

type Point = { x: number; y: number };

/** Returns points on a hand's way: it sets off slowly, is quick in the middle, and slows down. */
export const handWay = (from: Point, to: Point): Point[] =>
  Array.from({ length: 21 }, (_, at) => {
    const share = (at / 20) ** 2 * (3 - (2 * at) / 20);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  });

/** Returns the place of the buy button, which nothing may move. */
export const buttonBox = (page: Page) => buyButton(page, /^(Starts in|One small task first)/).boundingBox();
