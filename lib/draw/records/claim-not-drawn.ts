import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { Prisma } from '@/prisma/generated/client';

/** Places in one transaction. */
const PAGE = 500;
/** A draw that ended earlier is no news, days. */
const NEWS_DAYS = 1;

/** The order with this number is written. */
const isWritten = (orderNo: Prisma.Sql) =>
  Prisma.sql`EXISTS (SELECT FROM orders o WHERE o.shard = (${orderNo} & 1023)::smallint AND o.id = ${orderNo})`;

/**
 * Notes which draws are settled: every unit has an order, so people without one were not drawn, not even by an order on
 * its way. Of variants only those count that somebody waits for. Draws with fewer people than units never are, because
 * nobody lost. @throws connection errors
 */
export const noteAllTaken = (): Promise<number> =>
  db().$executeRaw`
    UPDATE lines l SET settled_at = now(), updated_at = now() FROM sales s
    WHERE s.id = l.sale_id AND s.admission = 'draw' AND l.settled_at IS NULL
      AND l.enlisted_at > now() - make_interval(days => ${NEWS_DAYS}::int)
      AND CASE WHEN EXISTS (SELECT FROM sale_variants v WHERE v.sale_id = s.id)
        THEN NOT EXISTS (
          SELECT FROM sale_variants v JOIN waitlist_entries w ON w.sale_id = v.sale_id AND w.variant = v.number
          WHERE v.sale_id = s.id AND v.held + v.sold < v.stock
            AND w.variant > 0 AND w.left_at IS NULL AND w.given_at IS NULL AND w.passed_at IS NULL
            AND NOT ${isWritten(Prisma.sql`w.order_no`)})
        ELSE s.held_stock + s.sold_stock >= s.total_stock END`;

/**
 * Takes the next 500 places of a settled draw, each once, and names people who wait there without an order. Safe side
 * by side. @returns null if everybody has been told. @throws connection errors
 */
export async function claimNotDrawn(tx: Db): Promise<{ saleId: string; orderNos: string[] } | null> {
  const [line] = await tx.$queryRaw<{ saleId: string; told: number }[]>`
    SELECT sale_id AS "saleId", told FROM lines WHERE settled_at IS NOT NULL AND told < early
    ORDER BY settled_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
  if (!line) return null;
  const { saleId, told } = line;
  const below = told + PAGE;
  const rows = await tx.$queryRaw<{ orderNo: string }[]>`
    WITH moved AS (
      UPDATE lines SET told = ${below} WHERE sale_id = ${saleId}
    )
    SELECT e.order_no::text AS "orderNo" FROM line_entries e
    JOIN waitlist_entries w ON w.order_no = e.order_no AND w.left_at IS NULL
    WHERE e.sale_id = ${saleId} AND e.place >= ${told} AND e.place < ${below} AND e.left_at IS NULL
      AND NOT ${isWritten(Prisma.sql`e.order_no`)}
    ORDER BY e.place`;
  return { saleId, orderNos: rows.map(({ orderNo }) => orderNo) };
}
