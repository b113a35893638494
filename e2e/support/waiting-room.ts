import { expect, type Page } from '@playwright/test';
import type { Shopper } from './accounts';
import { newSale, stateOf } from './sales';

const HOUR_MS = 3_600_000;

/** Makes a sale with a waiting room that is open now and starts in so many ms. */
export const newWaitingRoom = (startsIn: number, totalStock = 1, waitlist = false) => {
  const now = Date.now();
  return newSale({
    admission: 'waiting_room',
    totalStock,
    waitlist,
    startsAt: now + startsIn,
    endsAt: now + 2 * HOUR_MS,
    entryOpensAt: now - HOUR_MS,
  });
};

type Line = { admitted: number; lapsed: number; early: number | null };
/** What everybody may know of a sale's line. */
export const lineOf = (saleId: string) => stateOf(saleId).then(({ line }) => line as Line);

/** Takes pictures of a page, where `LINE_SHOTS` names a folder. */
export const shot = async (page: Page, name: string) => {
  const dir = process.env.LINE_SHOTS;
  if (!dir) return;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [look, scheme, width] of [
    ['phone-dark', 'dark', 390],
    ['desktop-light', 'light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 844 });
    await page.screenshot({ path: `${dir}/${name}-${look}.png`, fullPage: true });
  }
};

/** Lets the first in line buy the only unit. @returns the order's number */
export async function buyIt({ client }: Shopper, saleId: string): Promise<string> {
  expect((await client.post(`/api/sales/${saleId}/line`)).status).toBe(201);
  await expect.poll(async () => (await lineOf(saleId)).admitted, { timeout: 150_000 }).toBe(1);
  const { entryToken } = (await client.post(`/api/sales/${saleId}/entry`)).body;
  const { gate } = await stateOf(saleId);
  const headers = { 'x-entry-token': String(entryToken) };
  const bought = await client.post(`/api/sales/${saleId}/purchase/${gate}`, undefined, { headers });
  expect(bought.status, bought.text).toBe(202);
  return String(bought.body.orderNo);
}
