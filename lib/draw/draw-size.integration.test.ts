import { expect, it } from 'vitest';
import { db } from '@/lib/db/client';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { decideDraw } from './decide-draw';
import { createDrawFixture } from './testing/draw-fixture';

/** A small crowd, for the tests; `DRAW_ENTRANTS=200000` shows how long a large one takes. */
const ENTRANTS = Number(process.env.DRAW_ENTRANTS ?? 5_000);

it('[M4] draws a crowd, each at one place, while the rows of another sale change', async () => {
  const { saleId } = await createDrawFixture({ users: ENTRANTS, total: ENTRANTS / 20 });
  const other = await createDrawFixture({ users: 1 });
  const sale = await findSaleInfo(saleId);
  if (!sale) throw new Error('no sale');
  const beganAt = performance.now();
  const drawn = decideDraw(sale, Date.now() - 60_000);
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  drawn.then(over, over);
  let longestMs = 0;
  while (!isOver) {
    const from = performance.now();
    await db().$executeRaw`UPDATE lines SET updated_at = now() WHERE sale_id = ${other.saleId}`;
    longestMs = Math.max(longestMs, performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await drawn).toBe(true);
  const tookMs = performance.now() - beganAt;
  console.log(
    `${ENTRANTS} drawn in ${(tookMs / 1_000).toFixed(1)} s; meanwhile another sale's statement took ${longestMs.toFixed(0)} ms at most`,
  );
  const { early } = await db().line.findUniqueOrThrow({ where: { saleId } });
  expect(early).toBe(ENTRANTS);
  const [places] = await db().$queryRaw<{ count: number; last: number }[]>`
    SELECT count(DISTINCT place)::int AS count, max(place) AS last FROM line_entries WHERE sale_id = ${saleId}`;
  expect(places).toEqual({ count: ENTRANTS, last: ENTRANTS - 1 });
});
