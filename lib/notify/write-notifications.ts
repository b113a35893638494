import 'server-only';
import { db } from '@/lib/db/client';
import type { Notice } from './types';

/** Adds notices to their readers' lists, each once per key; deleted accounts get none. @returns how many were new. */
export async function writeNotifications(notices: readonly Notice[]): Promise<number> {
  const data = notices.map(({ saleSlug, saleTitle, amountMinor, currency, payBy }) =>
    JSON.stringify({ saleSlug, saleTitle, amountMinor, currency, payBy }),
  );
  return db().$executeRaw`
    INSERT INTO notifications (message_id, user_id, kind, order_id, data)
    SELECT n.key, n.user_id, n.kind, n.order_id, n.data::jsonb
    FROM unnest(${notices.map(({ key }) => key)}::text[], ${notices.map(({ userId }) => userId)}::text[],
                ${notices.map(({ kind }) => kind)}::text[],
                ${notices.map(({ orderNo }) => orderNo)}::text[]::bigint[], ${data}::text[])
           AS n (key, user_id, kind, order_id, data)
    JOIN users u ON u.id = n.user_id AND u.deleted_at IS NULL
    ON CONFLICT (message_id) DO NOTHING`;
}
