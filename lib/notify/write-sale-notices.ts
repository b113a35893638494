import 'server-only';
import type { SaleNoticeKind } from '@/lib/contract/words/notice';
import type { Db } from '@/lib/db/client';
import { pushesOfTold } from './push/pushes-of-told';

/** Stands in column `order_id` for a notice that is about a sale: the release before this one reads a number there. */
export const NO_ORDER = 0n;

/** A notice for somebody who waits in a sale. */
export type SaleNoticeFor = {
  userId: string;
  /** In line for units that come back, from 1; null: no longer. */
  place: number | null;
};

/** Names a notice of this kind to this person about this sale: there is one. */
export const saleNoticeKey = (kind: SaleNoticeKind, saleId: string, userId: string): string =>
  `${kind}-${saleId}-${userId}`;

/**
 * Adds a notice about a sale to the lists of many people, in one statement. Nobody gets a second one of the same kind about
 * the same sale, whoever calls and however often. Who has a browser for it is told by push as well.
 * @returns those to whom it was new. @throws connection errors
 */
export async function writeSaleNotices(
  tx: Db,
  saleId: string,
  kind: SaleNoticeKind,
  people: readonly SaleNoticeFor[],
): Promise<SaleNoticeFor[]> {
  if (people.length === 0) return [];
  const rows = await tx.$queryRaw<{ userId: string }[]>`
    WITH told AS (
    INSERT INTO notifications (message_id, user_id, kind, order_id, data)
    SELECT p.key, p.user_id, ${kind}, ${NO_ORDER},
           jsonb_build_object('saleTitle', s.title, 'saleSlug', s.slug, 'place', p.place, 'amountMinor', s.price_minor,
                              'currency', s.currency, 'payBy', (extract(epoch FROM s.ends_at) * 1000)::bigint)
    FROM sales s, unnest(${people.map(({ userId }) => saleNoticeKey(kind, saleId, userId))}::text[],
                         ${people.map(({ userId }) => userId)}::text[], ${people.map(({ place }) => place)}::int[])
                  AS p (key, user_id, place)
    WHERE s.id = ${saleId}
    ON CONFLICT (message_id) DO NOTHING
    RETURNING message_id, user_id),
    pushed AS (${pushesOfTold})
    SELECT user_id AS "userId" FROM told`;
  const told = new Set(rows.map(({ userId }) => userId));
  return people.filter(({ userId }) => told.delete(userId));
}
