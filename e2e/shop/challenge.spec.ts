import { expect, type Page, test } from '@playwright/test';
import { newShopper } from '../support/accounts';
import { buttonBox, check, handle, handWay, nextSecret, wayTo } from '../support/puzzle';
import { newSale } from '../support/sales';
import { useSession } from '../support/shop';

/** Waits for the next frame: the page sees a hand's movement once a frame. */
const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => resolve())));

test('[G5] before the start a piece is pushed home by mouse or finger; the button stays where it is @desktop', async ({
  page,
  context,
}, { project }) => {
  const now = Date.now();
  const window = { startsAt: now + 600_000, endsAt: now + 1_200_000, entryOpensAt: now - 1_000 };
  const [shopper, { slug, saleId }] = await Promise.all([
    newShopper(),
    newSale({ ...window, challenge: 'slider' }),
  ]);
  await useSession(context, shopper);
  const secret = await nextSecret(page, shopper, saleId, () => page.goto(`/sales/${slug}`));
  if (secret.kind !== 'slider') throw new Error(secret.kind);
  await expect(page.getByText('Before buying you solve a short puzzle')).toBeVisible();
  await expect(page.getByText('One small task below')).toBeVisible();
  const { from, to } = await wayTo(page, secret.x);
  const boxBefore = await buttonBox(page);

  if (project.name === 'phone') {
    const touches = await context.newCDPSession(page);
    const touch = (type: string, points: { x: number; y: number }[]) =>
      touches.send('Input.dispatchTouchEvent', { type: type as 'touchMove', touchPoints: points });
    await touch('touchStart', [from]);
    for (const point of handWay(from, to)) {
      await touch('touchMove', [point]);
      await nextFrame(page);
    }
    await touch('touchEnd', []);
  } else {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    for (const { x, y } of handWay(from, to)) {
      await page.mouse.move(x, y);
      await nextFrame(page);
    }
    await page.mouse.up();
  }
  const placeOf = async () => Number(await handle(page).getAttribute('aria-valuenow'));
  await expect.poll(async () => Math.abs((await placeOf()) - secret.x)).toBeLessThanOrEqual(3);
  expect(await buttonBox(page)).toEqual(boxBefore);
  await check(page).click();
  await expect(page.getByText('You are ready.', { exact: false }).first()).toBeVisible();
  await expect(handle(page)).toBeHidden();
});
