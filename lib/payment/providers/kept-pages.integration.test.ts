import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import type { keptPages } from './kept-pages';
import { molliePayments } from './mollie/open-page';
import { sessions } from './stripe/open-page';

const TERMS = { title: 'Lamp', returnUrl: 'http://x.test/' };
const made = (pageId: string) => ({ pageId, createdAt: new Date(1_800_000_000_000) });

beforeEach(async () => {
  await Promise.all([db().stripeSession.deleteMany(), db().molliePayment.deleteMany()]);
});
afterAll(closeDb);

describe.each([
  ['stripe', sessions],
  ['mollie', molliePayments],
])('the pages of %s', (_name, pages: ReturnType<typeof keptPages>) => {
  it('[O4 I4] have the terms of the first who asks, and one page for each try', async () => {
    const row = await pages.claim('pay_1', TERMS);
    expect(await pages.claim('pay_1', { ...TERMS, title: 'Other' })).toEqual(row);
    expect(await pages.find(['pay_1'])).toEqual([]);
    expect(await pages.keep(row, made('a'))).toBe(true);
    expect(await pages.keep(row, made('a'))).toBe(true);
    expect(await pages.keep(row, made('b'))).toBe(false);
    expect(await pages.find(['pay_1', 'pay_2'])).toEqual([{ paymentId: 'pay_1', ...made('a') }]);
  });

  it('[O4 I4] are replaced once, and a page of the try before is shown to nobody', async () => {
    const row = await pages.claim('pay_1', TERMS);
    const [next, same] = await Promise.all([pages.replace(row, TERMS), pages.replace(row, TERMS)]);
    expect([next.attempt, same.attempt]).toEqual([2, 2]);
    expect(await pages.keep(row, made('a'))).toBe(false);
    expect(await pages.keep(next, made('b'))).toBe(true);
  });

  it('[O4 I4] are not replaced by a process that got a fault while another one got the page', async () => {
    const row = await pages.claim('pay_1', TERMS);
    await pages.keep(row, made('a'));
    expect(await pages.replace(row, TERMS)).toMatchObject({ attempt: 1, pageId: 'a' });
  });
});
