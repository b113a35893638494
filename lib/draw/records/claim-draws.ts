import 'server-only';
import { db } from '@/lib/db/client';

/** A worker that does not come again within this time has died: another one goes on. */
const LEASE_SEC = 10;
const AT_ONCE = 10;

export type ClaimedDraw = { saleId: string; startsAt: number; isDrawn: boolean };

/**
 * Claims draws that are due: those of open sales that have started and are not finished. From now on nobody joins or
 * leaves: joining locks the line's row, so everybody who came before has a number. A sale that is being changed waits
 * for the next time: its start may be moving.
 * @throws connection errors
 */
export async function claimDraws(): Promise<ClaimedDraw[]> {
  const rows = await db().$queryRaw<{ sale_id: string; starts_at: Date; is_drawn: boolean }[]>`
    UPDATE lines l SET closed = true, drawing_until = now() + make_interval(secs => ${LEASE_SEC}), updated_at = now()
    FROM sales s
    WHERE s.id = l.sale_id AND l.sale_id = ANY (ARRAY(
      SELECT d.sale_id FROM lines d JOIN sales o ON o.id = d.sale_id
      WHERE o.admission = 'draw' AND o.status = 'published' AND NOT o.paused AND o.starts_at <= now()
        AND d.enlisted_at IS NULL AND (d.drawing_until IS NULL OR d.drawing_until < now())
      ORDER BY o.starts_at LIMIT ${AT_ONCE} FOR UPDATE OF d SKIP LOCKED FOR SHARE OF o SKIP LOCKED))
    RETURNING l.sale_id, s.starts_at, l.shuffled_at IS NOT NULL AS is_drawn`;
  return rows.map((row) => ({
    saleId: row.sale_id,
    startsAt: row.starts_at.getTime(),
    isDrawn: row.is_drawn,
  }));
}

/** Keeps a draw for this worker. */
export const keepClaim = (saleId: string): Promise<number> =>
  db().$executeRaw`
    UPDATE lines SET drawing_until = now() + make_interval(secs => ${LEASE_SEC})
    WHERE sale_id = ${saleId} AND enlisted_at IS NULL`;

/** Gives a draw back, so that the next worker goes on at once. */
export const dropClaim = (saleId: string): Promise<number> =>
  db().$executeRaw`UPDATE lines SET drawing_until = NULL WHERE sale_id = ${saleId}`;

/** Notes that everybody who was drawn stands on the waitlist. */
export const noteEnlisted = (saleId: string): Promise<number> =>
  db().$executeRaw`
    UPDATE lines SET enlisted_at = now(), drawing_until = NULL, updated_at = now()
    WHERE sale_id = ${saleId} AND enlisted_at IS NULL AND shuffled_at IS NOT NULL`;
