import 'server-only';
import { db } from '@/lib/db/client';
import { plainMoney } from '@/lib/money';
import type { Findings } from './findings';

/** More than are ever shown; only keeps a badly broken sale from filling the memory. */
const MAX_ROWS = 1000;

/** Invariant 4 in Postgres: checks that no user's live orders exceed the limit. */
export async function checkLimits(saleId: string, limitPerUser: number, findings: Findings): Promise<void> {
  const rows = await db().$queryRaw<{ userId: string; units: number }[]>`
    SELECT user_id AS "userId", sum(quantity)::int AS units
      FROM orders
     WHERE sale_id = ${saleId} AND status IN ('pending_payment', 'paid')
     GROUP BY user_id HAVING sum(quantity) > ${limitPerUser}
     LIMIT ${MAX_ROWS}`;
  for (const { userId, units } of rows) {
    findings.add(4, 'over_limit_in_orders', { userId, units, limit: limitPerUser });
  }
}

/**
 * Invariant 7: checks that each paid or refunded order has its one payment in full, less the parts that were refunded,
 * and that no money of any other order is left with us. A payment and its order change in one transaction, so one statement sees no state in
 * between.
 */
export async function checkPayments(saleId: string, findings: Findings): Promise<void> {
  const rows = await db().$queryRaw<
    {
      orderNo: string;
      order: string;
      payment: string | null;
      amountMinor: number;
      currency: string;
      paidMinor: number | null;
      partsMinor: number | null;
      partsSum: number | null;
      areWrongParts: boolean;
      paidCurrency: string | null;
    }[]
  >`
    SELECT * FROM (
      SELECT o.id::text AS "orderNo", o.status AS order, p.status AS payment,
             o.amount_minor AS "amountMinor", o.currency::text, p.amount_minor AS "paidMinor",
             p.currency::text AS "paidCurrency", p.parts_minor AS "partsMinor", r.sum::float8 AS "partsSum",
             coalesce(r.sum, 0) <> coalesce(p.parts_minor, 0)
               OR (p.parts_minor > 0 AND (p.parts_minor >= p.amount_minor OR o.status NOT IN ('paid', 'refunded')))
               AS "areWrongParts",
             NOT coalesce(CASE o.status
               WHEN 'paid' THEN p.status = 'succeeded' AND p.amount_minor = o.amount_minor AND p.currency = o.currency
               WHEN 'refunded' THEN p.status IN ('refund_due', 'refunded') AND p.amount_minor = o.amount_minor
               WHEN 'pending_payment' THEN p.status IN ('pending', 'failed') AND p.amount_minor = o.amount_minor
               ELSE p.status IS DISTINCT FROM 'succeeded' END, false) AS "isWrongPayment"
        FROM orders o LEFT JOIN payments p ON p.shard = o.shard AND p.order_id = o.id
        LEFT JOIN (SELECT shard, order_id, sum(amount_minor) FROM refund_parts
                    WHERE sale_id = ${saleId} GROUP BY shard, order_id) r ON r.shard = o.shard AND r.order_id = o.id
       WHERE o.sale_id = ${saleId}) checked
     WHERE "areWrongParts" OR "isWrongPayment"
     LIMIT ${MAX_ROWS}`;
  for (const row of rows) {
    const { orderNo, order, payment, amountMinor, currency, paidMinor, paidCurrency } = row;
    const which = { orderNo, amount: plainMoney({ amountMinor, currency }), order };
    if (row.areWrongParts) {
      const inParts = (minor: number | null) => plainMoney({ amountMinor: minor ?? 0, currency });
      const [parts, booked] = [inParts(row.partsSum), inParts(row.partsMinor)];
      findings.add(7, 'wrong_parts', { ...which, payment: payment ?? 'none', parts, booked });
    } else if (payment === null) findings.add(7, 'no_payment', which);
    else {
      const paid = plainMoney({ amountMinor: paidMinor ?? 0, currency: paidCurrency ?? currency });
      findings.add(7, 'wrong_payment', { ...which, paid, payment });
    }
  }
}
