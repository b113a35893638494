import 'server-only';
import type { Actor } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import { db } from '@/lib/db/client';
import { DEMO_SALES } from './catalog';
import { restartSale } from './restart-sale';

const MAX_AT_ONCE = 100;
const SYSTEM: Actor = { userId: 'system', role: 'operator' };

/**
 * A job of the worker, in the demo only: gives a repeating sale its next window as soon as the last one is over, so
 * visitors never see a countdown of more than a few minutes.
 */
export const repeatSales = {
  name: 'repeat-sales',
  everyMs: 1000,
  run: async (): Promise<void> => {
    const over = await db().sale.findMany({
      where: { repeatAfterSec: { not: null }, status: 'published', endsAt: { lte: new Date(nowMs()) } },
      take: MAX_AT_ONCE,
    });
    for (const { id, slug, startsAt, endsAt, repeatAfterSec } of over) {
      const nextStart = nowMs() + (repeatAfterSec ?? 0) * 1000;
      await restartSale(SYSTEM, {
        saleId: id,
        startsAt: nextStart,
        endsAt: nextStart + (endsAt.getTime() - startsAt.getTime()),
        pieces: DEMO_SALES.find((sale) => sale.slug === slug)?.totalStock,
      });
    }
  },
};
