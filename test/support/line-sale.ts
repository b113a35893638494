import { db } from '@/lib/db/client';
import { createLine } from '@/lib/line/records/create-line';
import { forgetLine } from '@/lib/line/records/find-line';
import { createSaleFixture, type SaleFixture } from '@/lib/purchase/testing/sale-fixture';
import { forgetSaleInfo } from '@/lib/sale/records/find-sale-info';
import type { Prisma } from '@/prisma/generated/client';

type Options = Parameters<typeof createSaleFixture>[0] & { data?: Prisma.SaleUpdateInput };

/** For tests: a published sale with a waiting room that has not started by Postgres's clock, with people who may join. */
export async function createLineSale({ data, ...options }: Options = {}): Promise<SaleFixture> {
  const sale = await createSaleFixture(options);
  await db().sale.update({ where: { id: sale.saleId }, data: { admission: 'waiting_room', ...data } });
  await createLine(db(), sale.saleId);
  await startsIn(sale, 3_600_000);
  return sale;
}

/**
 * Moves a sale's start by Postgres's clock, as if time had passed; Redis sells it all the while.
 * @param ms from now; at 0 the sale has started when this returns, after everybody who has joined. Times are rounded to
 *   milliseconds, so that takes three.
 */
export async function startsIn({ saleId }: { saleId: string }, ms: number): Promise<void> {
  await db().$executeRaw`
    UPDATE sales SET starts_at = clock_timestamp() + make_interval(secs => ${(ms + 2) / 1_000}), ends_at = now() + interval '3 hours',
                     entry_opens_at = now() - interval '1 hour' WHERE id = ${saleId}`;
  await db().$executeRaw`SELECT pg_sleep(0.003)`;
  await forgetSaleInfo(saleId);
}

/** Moves everything that a line remembers back in time, as if so much had passed. */
export async function passTime(saleId: string, ms: number): Promise<void> {
  await db().$executeRaw`
    UPDATE lines SET tended_at = tended_at - make_interval(secs => 0.3), version = version + 1,
      steps = (SELECT coalesce(jsonb_agg(jsonb_build_array((s->>0)::bigint - ${ms}::bigint, s->1)), '[]') FROM jsonb_array_elements(steps) s)
    WHERE sale_id = ${saleId}`;
  await db().$executeRaw`
    UPDATE line_entries SET entered_at = entered_at - make_interval(secs => ${ms / 1_000}) WHERE sale_id = ${saleId}`;
  forgetLine(saleId);
}
