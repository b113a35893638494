import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { tendLines } from '@/lib/line/tend-lines';
import { closeRedis } from '@/lib/redis/client';
import { verifyLines } from '@/lib/verify/verify-lines';
import { sessionOf } from '@/test/support/call-as';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { openShopBehindLinks, type ShopBehindLinks } from '@/test/support/shop-behind-links';

/*
 * Tests a waiting room while a server fails: nobody loses a place that was announced, nobody gets two, and a person who
 * was turned away for a moment gets one by asking again.
 */

const PROCESS = join(import.meta.dirname, '../testing/direct-process.ts');
const PEOPLE = 120;
const ARRIVE_WITHIN_MS = 3_000;
const BREAKS_AFTER_MS = 800;

let shop: ShopBehindLinks;

beforeAll(async () => {
  shop = await openShopBehindLinks(PROCESS);
});
afterEach(() => {
  shop.redis.heal();
  shop.postgres.heal();
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([closeRedis(), closeDb()]);
});

describe('those who wait in a line', () => {
  it.each([
    ['Postgres is gone', 'postgres', 'cut', 3_000],
    ['Postgres hangs', 'postgres', 'stall', 5_000],
    ['Redis is gone', 'redis', 'cut', 3_000],
  ] as const)(
    '[M1] while %s: each gets one place in the end, and keeps what was told',
    async (_, server, how, awayMs) => {
      const sale = await createLineSale({ total: 10, users: PEOPLE });
      const cookies = await Promise.all(sale.userIds.map(sessionOf));
      const path = `/api/sales/${sale.saleId}/line`;
      const healed = delay(BREAKS_AFTER_MS)
        .then(() => shop[server][how]())
        .then(() => delay(awayMs))
        .then(() => shop[server].heal());
      const told = await Promise.all(
        cookies.map(async (cookie, n) => {
          await delay((n * ARRIVE_WITHIN_MS) / PEOPLE);
          const joined = await shop.ask(path, cookie, 'POST');
          expect([200, 201], JSON.stringify(joined.body)).toContain(joined.status);
          return Number(joined.body.number);
        }),
      );
      await healed;
      expect([...told].sort((a, b) => a - b)).toEqual(cookies.map((__, at) => at));
      const seen = await Promise.all(cookies.map((cookie) => shop.ask(path, cookie, 'GET')));
      expect(seen.map(({ body }) => body.number)).toEqual(told);

      await startsIn(sale, 0);
      for (let round = 0; round < 3; round += 1) {
        await tendLines();
        await db()
          .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${sale.saleId}`;
      }
      await delay(400);
      const places = await Promise.all(cookies.map((cookie) => shop.ask(path, cookie, 'GET')));
      expect(places.map(({ body }) => body.place).sort((a, b) => a - b)).toEqual(cookies.map((__, at) => at));
      const entered = await Promise.all(
        cookies.map((cookie) => shop.ask(`/api/sales/${sale.saleId}/entry`, cookie, 'POST')),
      );
      const isIn = entered.map(({ status }) => status === 200);
      expect(isIn).toEqual(places.map(({ body }) => body.place < 10));
      expect(await verifyLines(sale.saleId)).toMatchObject({ ok: true });
    },
  );
});
