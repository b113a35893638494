import 'server-only';
import { db } from '@/lib/db/client';

/** What everybody who waits in a sale is told: not drawn and in line; over, from the line; over, from the waitlist. */
export type WaitingNoticeKind = 'draw_waiting' | 'line_over' | 'waitlist_over';

/** Something that has yet to be told, or to be told to some. */
export type WaitingNotice = { saleId: string; kind: WaitingNoticeKind };

/** Purchases of the last moment have become orders by then. */
const SETTLED_AFTER_SEC = 60;
const MAX_SALES = 200;

/**
 * Lists what is due: of a draw that is done, those in line; a minute after a sale's end, whoever still waits. What came up while
 * no worker ran is told within a day.
 * @throws connection errors
 */
export const listDueNotices = (): Promise<WaitingNotice[]> =>
  db().$queryRaw`
    WITH waiting AS (
      SELECT s.id, s.waitlist, l.sale_id IS NOT NULL AS has_line, l.enlisted_at IS NOT NULL AS is_drawn,
             least(s.ends_at, s.closed_at) AS over_at
      FROM sales s LEFT JOIN lines l ON l.sale_id = s.id
      WHERE s.status <> 'draft' AND (s.waitlist OR l.sale_id IS NOT NULL) AND s.ends_at > now() - interval '1 day'
    ), due AS (
      SELECT id AS sale_id, 'draw_waiting' AS kind FROM waiting WHERE is_drawn AND over_at > now()
      UNION ALL
      SELECT id, 'line_over' FROM waiting
      WHERE has_line AND over_at <= now() - make_interval(secs => ${SETTLED_AFTER_SEC})
      UNION ALL
      SELECT id, 'waitlist_over' FROM waiting
      WHERE waitlist AND over_at <= now() - make_interval(secs => ${SETTLED_AFTER_SEC})
    )
    SELECT d.sale_id AS "saleId", d.kind FROM due d
    LEFT JOIN waiting_notices t ON t.sale_id = d.sale_id AND t.kind = d.kind
    WHERE t.done_at IS NULL ORDER BY d.sale_id, d.kind LIMIT ${MAX_SALES}`;
