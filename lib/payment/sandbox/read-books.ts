import 'server-only';
import { db } from '@/lib/db/client';
import type { ProviderState, StatementLine, StatementPage } from '../provider';

const PAGE = 500;
const CURSOR = /^(\d{1,15}) (.{1,200})$/;

type Row = { paymentId: string; status: 'succeeded' | 'failed' | 'refunded' } & Pick<
  StatementLine,
  'amountMinor' | 'currency'
>;

/** What the sandbox's own books say of these payments; those nobody has tried to pay are left out. */
export async function readBooks(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const rows = await db().$queryRaw<Row[]>`
    SELECT payment_id AS "paymentId", amount_minor AS "amountMinor", currency,
           CASE WHEN outcome = 'failed' THEN 'failed' WHEN refunded_at IS NULL THEN 'succeeded' ELSE 'refunded' END AS status
    FROM sandbox_payments WHERE payment_id = ANY (${[...paymentIds]}::text[])`;
  return new Map(rows.map(({ paymentId, ...state }) => [paymentId, state]));
}

/** One page of the money the sandbox took since `sinceMs` (epoch ms), in the order in which it did. */
export async function readStatement(sinceMs: number, after = ''): Promise<StatementPage> {
  const [, atMs = String(Math.floor(sinceMs)), id = ''] = CURSOR.exec(after) ?? [];
  const rows = await db().$queryRaw<(Omit<StatementLine, 'at'> & { at: Date })[]>`
    SELECT payment_id AS "paymentId", amount_minor AS "amountMinor", currency, decided_at AS at,
           CASE WHEN refunded_at IS NULL THEN 'succeeded' ELSE 'refunded' END AS status
    FROM sandbox_payments
    WHERE (decided_at, payment_id) > (to_timestamp(${Number(atMs)}::double precision / 1000)::timestamptz(3), ${id})
      AND outcome = 'succeeded'
    ORDER BY decided_at, payment_id LIMIT ${PAGE}`;
  const last = rows.at(-1);
  return {
    lines: rows.map(({ at, ...line }) => ({ ...line, at: at.getTime() })),
    next: last && rows.length === PAGE ? `${last.at.getTime()} ${last.paymentId}` : null,
  };
}
