import 'server-only';
import type { Db } from '@/lib/db/client';

/**
 * Turns an order that waits for payment into a paid one, if the amount is its price, and records who reported the
 * payment. The deadline does not matter: as long as the order was not cancelled, the money came in time.
 * @returns the sale's id, or null if the order had ended.
 */
export async function payOrderRow(
  tx: Db,
  key: { shard: number; id: bigint },
  price: { amountMinor: number; currency: string; provider: string },
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ sale_id: string }[]>`
    WITH paid AS (
      UPDATE orders SET status = 'paid', paid_at = now(), version = version + 1, updated_at = now()
      WHERE shard = ${key.shard} AND id = ${key.id} AND status = 'pending_payment'
        AND amount_minor = ${price.amountMinor} AND currency = ${price.currency}
      RETURNING shard, id, sale_id, amount_minor, currency
    ), noted AS (
      INSERT INTO order_events (shard, order_id, actor_kind, actor_id, from_status, to_status, cause, data)
      SELECT shard, id, 'provider', ${price.provider}, 'pending_payment', 'paid', 'paid',
             jsonb_build_object('amountMinor', amount_minor, 'currency', currency)
      FROM paid
    )
    SELECT sale_id FROM paid`;
  return rows[0]?.sale_id ?? null;
}
