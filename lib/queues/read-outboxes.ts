import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { shareBriefly } from '@/lib/cache/share-briefly';
import type { Page } from '@/lib/contract/shapes/common';
import type { AdminOutbox, OutboxFilter } from '@/lib/contract/shapes/queue';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import { createRateMeter } from '@/lib/metrics/rate-meter';
import { readOpenSales } from '@/lib/outbox/open-sales';
import { readFlow } from '@/lib/outbox/read-flow';
import { readWaiting } from '@/lib/outbox/read-waiting';
import { saleOf } from '@/lib/slice/numbers/stock-ids';

const MAX_AGE_MS = 1_000;

const meter = createRateMeter();

/** However many admins look, each process reads an outbox once a second. */
const readShared = shareBriefly(MAX_AGE_MS, async (saleId) => {
  const [flow, waiting] = await Promise.all([readFlow(saleId), readWaiting(saleId)]);
  return { ...flow, ...waiting, takenPerSec: meter(saleId, flow.taken, performance.now()) };
});

/** Reads the outboxes of the open sales that the actor may see, by sale id. @throws connection errors */
export async function readOutboxes(actor: Actor): Promise<AdminOutbox[]> {
  const shops = await shopsOf(actor);
  const sales = await db().sale.findMany({
    where: {
      id: { in: [...new Set((await readOpenSales()).map(saleOf))] },
      ...(shops === null ? {} : { merchantId: { in: shops } }),
    },
    select: { id: true, title: true },
    orderBy: { id: 'asc' },
  });
  return Promise.all(sales.map(async ({ id, title }) => ({ saleId: id, title, ...(await readShared(id)) })));
}

/** Returns one page of these outboxes: only those with waiting entries, or all. @throws connection errors */
export async function listOutboxes(
  actor: Actor,
  { cursor, limit }: Page,
  filter: OutboxFilter,
): Promise<{ outboxes: AdminOutbox[]; nextCursor: string | null }> {
  const after = cursor === undefined ? '' : decodeCursor(cursor);
  const rest = (await readOutboxes(actor)).filter(
    ({ saleId, depth }) =>
      saleId > after &&
      (filter.state === 'all' || depth > 0) &&
      (filter.saleId === undefined || filter.saleId === saleId),
  );
  const { page: outboxes, nextCursor } = pageOfRows(rest, limit, (last) => last.saleId);
  return { outboxes, nextCursor };
}
