import 'server-only';
import { db } from '@/lib/db/client';
import type { Money, ProviderState } from '@/lib/payment/records/types';
import type { StatementLine, StatementPage } from '../provider';

const PAGE = 500;
const CURSOR = /^(\d{1,15}) (.{1,200})$/;

type Entry = Money & { paymentId: string; status: 'succeeded' | 'failed' | 'refunded' };

/**
 * Returns the sandbox's own books of these payments; leaves out those nobody has tried to pay. Reads one row of JSON:
 * a thousand rows cost this process several times as much.
 */
export async function readBooks(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const [found] = await db().$queryRaw<{ entries: Entry[] }[]>`
    SELECT coalesce(json_agg(entry), '[]') AS entries FROM (
      SELECT payment_id AS "paymentId", amount_minor AS "amountMinor", currency,
             CASE WHEN outcome = 'failed' THEN 'failed' WHEN refunded_at IS NULL THEN 'succeeded' ELSE 'refunded' END AS status
      FROM sandbox_payments WHERE payment_id = ANY (${[...paymentIds]}::text[])) AS entry`;
  return new Map(found?.entries.map(({ paymentId, ...state }) => [paymentId, state]));
}

/** Returns one page of the money the sandbox took since `sinceMs` (epoch ms), in the order it took it. */
export async function readStatement(sinceMs: number, after = ''): Promise<StatementPage> {
  const [, atMs = String(Math.floor(sinceMs)), id = ''] = CURSOR.exec(after) ?? [];
  const [found] = await db().$queryRaw<{ lines: StatementLine[] }[]>`
    SELECT coalesce(json_agg(line ORDER BY line.at, line."paymentId"), '[]') AS lines FROM (
      SELECT payment_id AS "paymentId", amount_minor AS "amountMinor", currency,
             floor(extract(epoch FROM decided_at) * 1000)::bigint AS at,
             CASE WHEN refunded_at IS NULL THEN 'succeeded' ELSE 'refunded' END AS status
      FROM sandbox_payments
      WHERE (decided_at, payment_id) > (to_timestamp(${Number(atMs)}::double precision / 1000)::timestamptz(3), ${id})
        AND outcome = 'succeeded'
      ORDER BY decided_at, payment_id LIMIT ${PAGE}) AS line`;
  const lines = found?.lines ?? [];
  const last = lines.at(-1);
  return { lines, next: last && lines.length === PAGE ? `${last.at} ${last.paymentId}` : null };
}
