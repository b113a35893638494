import 'server-only';
import { db } from '@/lib/db/client';
import type { Money, ProviderState } from '@/lib/payment/records/types';
import { Prisma } from '@/prisma/generated/client';
import type { StatementLine, StatementPage } from '../provider';

const PAGE = 500;
const CURSOR = /^(\d{1,15}) (.{1,200})$/;

/** The sandbox's state of a payment. `amountMinor` is what it holds, or what it held before all of it was refunded. */
const STATE = Prisma.sql`
  payment_id AS "paymentId", currency,
  CASE WHEN outcome = 'failed' THEN 'failed' WHEN refunded_at IS NULL THEN 'succeeded' ELSE 'refunded' END AS status,
  CASE WHEN refunded_at IS NULL THEN amount_minor - returned_minor ELSE amount_minor END AS "amountMinor",
  CASE WHEN refunded_at IS NULL THEN nullif(returned_minor, 0) END AS "returnedMinor"`;

type Stored<T> = T & { returnedMinor: number | null };
type Entry = Stored<Money & { paymentId: string; status: 'succeeded' | 'failed' | 'refunded' }>;

/** Leaves out what JSON says is null. */
const toState = <T extends object>({ returnedMinor, ...state }: Stored<T>) =>
  returnedMinor === null ? state : { ...state, returnedMinor };

/**
 * Returns the sandbox's own books of these payments; leaves out those nobody has tried to pay. Reads one row of JSON:
 * a thousand rows cost this process several times as much.
 */
export async function readBooks(paymentIds: readonly string[]): Promise<Map<string, ProviderState>> {
  const [found] = await db().$queryRaw<{ entries: Entry[] }[]>`
    SELECT coalesce(json_agg(entry), '[]') AS entries FROM (
      SELECT ${STATE} FROM sandbox_payments WHERE payment_id = ANY (${[...paymentIds]}::text[])) AS entry`;
  return new Map(found?.entries.map(({ paymentId, ...stored }) => [paymentId, toState(stored)]));
}

/** Returns one page of the money the sandbox took since `sinceMs` (epoch ms), in the order it took it. */
export async function readStatement(sinceMs: number, after = ''): Promise<StatementPage> {
  const [, atMs = String(Math.floor(sinceMs)), id = ''] = CURSOR.exec(after) ?? [];
  const [found] = await db().$queryRaw<{ lines: Stored<StatementLine>[] }[]>`
    SELECT coalesce(json_agg(line ORDER BY line.at, line."paymentId"), '[]') AS lines FROM (
      SELECT ${STATE}, floor(extract(epoch FROM decided_at) * 1000)::bigint AS at
      FROM sandbox_payments
      WHERE (decided_at, payment_id) > (to_timestamp(${Number(atMs)}::double precision / 1000)::timestamptz(3), ${id})
        AND outcome = 'succeeded'
      ORDER BY decided_at, payment_id LIMIT ${PAGE}) AS line`;
  const lines = found?.lines.map(toState<StatementLine>) ?? [];
  const last = lines.at(-1);
  return { lines, next: last && lines.length === PAGE ? `${last.at} ${last.paymentId}` : null };
}
