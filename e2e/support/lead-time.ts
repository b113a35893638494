import type { Page } from '@playwright/test';
import { newSale } from './sales';
import { buyLink } from './shop';

/** How long a machine that does nothing else takes to publish a sale and to show its page, ms. */
const QUIET_MS = 800;
/** Tests that wait for a start end after a few times this. */
const MOST_MS = 200_000;

/**
 * Returns how many ms to leave for steps that must be over by a moment, such as the start of a sale. Measures how slow
 * the machine is: one that is busy gets as many times more.
 * @param quietMs what is enough on a quiet machine
 */
export async function leadMs(page: Page, quietMs: number): Promise<number> {
  const from = performance.now();
  const { slug } = await newSale();
  await page.goto(`/sales/${slug}`);
  await buyLink(page, 'Sign in to buy').waitFor();
  const times = (performance.now() - from) / QUIET_MS;
  return Math.min(MOST_MS, Math.ceil(quietMs * Math.max(1, times)));
}
