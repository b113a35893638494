import 'server-only';
import { z } from 'zod';
import { toLocale } from '@/lib/account/user-locale';
import { ORDER_NOTICE_KINDS, SALE_NOTICE_KINDS } from '@/lib/contract/words/notice';
import { db } from '@/lib/db/client';
import type { Push } from '@/lib/notify/push/send-push';
import type { Notice, SaleNotice } from '@/lib/notify/types';

type Row = Omit<Push['subscription'], 'id'> & {
  id: string;
  key: string;
  userId: string;
  kind: string;
  orderNo: string;
  data: unknown;
  email: string;
  locale: string;
  timeZone: string | null;
};

const orderData = z.object({
  saleTitle: z.string(),
  amountMinor: z.number(),
  currency: z.string(),
  payBy: z.number(),
});
const saleData = z.object({ saleTitle: z.string(), saleSlug: z.string(), place: z.number().nullable() });

/**
 * Reads whom to tell of notices: every browser of their readers whose session lasts still. A notice that has been pruned, or
 * that this release can't read, is told to nobody: it stands in the shop.
 * @param keys of the notices. @throws connection errors
 */
export async function readPushes(keys: readonly string[]): Promise<Map<string, Push[]>> {
  const rows = await db().$queryRaw<Row[]>`
    SELECT p.id, p.endpoint, p.p256dh, p.auth, n.message_id AS key, n.user_id AS "userId", n.kind,
           n.order_id::text AS "orderNo", n.data, u.email, u.locale, u.time_zone AS "timeZone"
    FROM notifications n
    JOIN users u ON u.id = n.user_id AND u.banned_at IS NULL AND u.deleted_at IS NULL
    JOIN push_subscriptions p ON p.user_id = n.user_id
    JOIN sessions s ON s.id = p.session_id AND s.ended_at IS NULL AND s.expires_at > now()
                   AND s.session_version = u.session_version
    WHERE n.message_id = ANY (${keys}::text[])
    ORDER BY p.id`;
  const pushes = new Map<string, Push[]>();
  for (const row of rows) {
    const notice = toNotice(row);
    if (!notice) continue;
    const { id, endpoint, p256dh, auth, key, timeZone } = row;
    const push = { subscription: { id, endpoint, p256dh, auth }, notice, timeZone };
    pushes.set(key, [...(pushes.get(key) ?? []), push]);
  }
  return pushes;
}

function toNotice({ key, userId, email, kind, orderNo, data, ...row }: Row): Notice | SaleNotice | null {
  const addressed = { key, userId, email, locale: toLocale(row.locale) };
  const ofOrder = ORDER_NOTICE_KINDS.find((one) => one === kind);
  const ofSale = SALE_NOTICE_KINDS.find((one) => one === kind);
  if (ofOrder) {
    const { data: said } = orderData.safeParse(data);
    return said ? { ...addressed, kind: ofOrder, orderNo, ...said } : null;
  }
  if (!ofSale) return null;
  const { data: said } = saleData.safeParse(data);
  return said ? { ...addressed, kind: ofSale, ...said } : null;
}
