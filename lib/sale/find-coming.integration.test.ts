import { afterAll, expect, it } from 'vitest';
import { closeDb } from '@/lib/db/client';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft, makeSale } from '@/test/support/make-sale';
import { findComing } from './list-sales';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;

it('[O11] the sale that starts next is found however many run; drafts are none', async () => {
  const startsIn = (hours: number) => {
    const startsAt = Date.now() + hours * HOUR_MS;
    return { startsAt, endsAt: startsAt + HOUR_MS };
  };
  await Promise.all([makeSale(), makeSale(), makeDraft(startsIn(1))]);
  expect(await findComing()).toBeNull();
  await makeSale(startsIn(3));
  const next = await makeSale(startsIn(2));
  expect((await findComing())?.saleId).toBe(next.sale.saleId);
});
