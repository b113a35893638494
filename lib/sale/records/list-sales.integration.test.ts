import { afterAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { encodeCursor } from '@/lib/http/cursor';
import { closeRedis } from '@/lib/redis/client';
import { makeDraft } from '@/test/support/make-sale';
import { listSales } from './list-sales';

afterAll(() => Promise.all([closeRedis(), closeDb()]));

const HOUR_MS = 3_600_000;

/** Makes one sale in every state, and two in those states that many sales may have. */
async function makeSales(): Promise<void> {
  const now = Date.now();
  const make = async (title: string, startMs: number, endMs: number, status = 'published') => {
    const { sale } = await makeDraft({ title });
    const [startsAt, endsAt] = [new Date(now + startMs), new Date(now + endMs)];
    await db().sale.update({
      where: { id: sale.saleId },
      data: { startsAt, endsAt, entryOpensAt: startsAt, status, epoch: 1 },
    });
  };
  await make('Draft', -1, HOUR_MS, 'draft');
  await make('Next week', 168 * HOUR_MS, 169 * HOUR_MS);
  await make('Tomorrow', 24 * HOUR_MS, 25 * HOUR_MS);
  await make('Running', -HOUR_MS, HOUR_MS);
  await make('Just started', -1_000, HOUR_MS);
  await make('Over', -3 * HOUR_MS, -2 * HOUR_MS);
  await make('Closed', -2 * HOUR_MS, HOUR_MS, 'closed');
}

async function titles(limit: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listSales({ cursor, limit });
    found.push(...page.sales.map(({ title }) => title));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

describe('the list of sales for shoppers', () => {
  it('[A1 L4] has what runs before what comes, however much that is, and what is over last; page by page', async () => {
    await makeSales();
    const all = ['Just started', 'Running', 'Tomorrow', 'Next week', 'Closed', 'Over'];
    for (const limit of [1, 2, 3, 5, 6, 100]) expect(await titles(limit), String(limit)).toEqual(all);
    for (const key of ['', 'over', 'nothing:1:x', 'over:never:x', '1700000000000:sale_old'])
      expect((await listSales({ cursor: encodeCursor(key), limit: 2 })).sales[0]?.title, key).toBeTruthy();
  });
});
