import 'server-only';
import type { Db } from '@/lib/db/client';
import { env } from '@/lib/env';

const DAY_SEC = 86_400;

/**
 * Tells whether a refund takes two people. Adds what was refunded alone within a day, in this currency: by the same
 * person, and by others of this order (decisions 032 and 135). Locks the person until the transaction ends, so that
 * simultaneous refunds count each other; the caller has locked the order's payment.
 * @param refund `amountMinor` in minor units of `currency`
 */
export async function refundNeedsApproval(
  tx: Db,
  userId: string,
  { orderNo, amountMinor, currency }: { orderNo: string; amountMinor: number; currency: string },
): Promise<boolean> {
  const { approvalRefundMinor } = env();
  if (approvalRefundMinor === null) return false;
  if (amountMinor > approvalRefundMinor) return true;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`refunds:${userId}`}, 0))`;
  const [row] = await tx.$queryRaw<{ sentBack: number }[]>`
    SELECT coalesce(sum((after->>'amountMinor')::bigint), 0)::float8 AS "sentBack" FROM audit_entries
    WHERE (actor_id = ${userId} OR subject_id = ${orderNo}) AND action IN ('order.refund', 'order.refund_part')
      AND after->>'currency' = ${currency}
      AND after->>'isApproved' IS NULL AND at > now() - make_interval(secs => ${DAY_SEC}::int)`;
  return (row?.sentBack ?? 0) + amountMinor > approvalRefundMinor;
}
