import 'server-only';
import { db } from '@/lib/db/client';
import { shardOf } from '@/lib/ids/shard-of';
import type { Places } from './places';
import { timeStood } from './turn-ends-at';
import { type LineHead, TOKEN_MS } from './types';

/** Orders tell by Redis's clock when they were accepted, entries by Postgres's. */
const CLOCKS_APART_MS = 1_000;

/** Every process that sells knows after a second that a turn was left. */
const KNOWN_AFTER_MS = 3_000;

/**
 * Counts the admitted people who may still take a unit: people whose turn is on, and people who entered and have
 * neither bought nor run out of time. An entry token outlives a turn that was let pass; leaving ends it. A purchase
 * counts once its order is written: a unit may briefly count twice, never not at all.
 */
export async function countOutstanding(
  line: Pick<LineHead, 'saleId' | 'admitted' | 'lapsed' | 'stoodMs' | 'tendedAt' | 'readAt'>,
  { numberAt }: Places,
): Promise<number> {
  const { saleId, admitted, lapsed } = line;
  const stood = timeStood(line);
  const numbers = Array.from({ length: admitted - lapsed }, (_, at) => numberAt(lapsed + at));
  const [idle, entered] = await Promise.all([
    db().$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM line_entries
      WHERE sale_id = ${saleId} AND number = ANY (${numbers}::int[]) AND left_at IS NULL AND entered_at IS NULL`,
    db().$queryRaw<{ user_id: string; entered_at: Date }[]>`
      SELECT user_id, entered_at FROM line_entries
      WHERE sale_id = ${saleId} AND entered_at > now() - make_interval(secs => ${(TOKEN_MS + stood) / 1_000})
        AND entered_at > now() - make_interval(secs => (${TOKEN_MS}::bigint + greatest(0, ${stood}::bigint - coalesce(stood_ms, ${stood}::bigint))) / 1000.0)
        AND (turn_left_change IS NULL OR left_at > now() - make_interval(secs => ${KNOWN_AFTER_MS / 1_000}))`,
  ]);
  const bought = await countBuyers(saleId, entered);
  return (idle[0]?.count ?? 0) + entered.length - bought;
}

async function countBuyers(
  saleId: string,
  entered: readonly { user_id: string; entered_at: Date }[],
): Promise<number> {
  if (entered.length === 0) return 0;
  const [row] = await db().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count
    FROM unnest(${entered.map(({ user_id }) => shardOf(user_id))}::smallint[], ${entered.map(({ user_id }) => user_id)}::text[],
                ${entered.map(({ entered_at }) => new Date(entered_at.getTime() - CLOCKS_APART_MS))}::timestamptz[])
      AS e (shard, user_id, since)
    WHERE EXISTS (SELECT 1 FROM orders o WHERE o.shard = e.shard AND o.user_id = e.user_id AND o.sale_id = ${saleId}
                  AND o.accepted_at >= e.since)`;
  return row?.count ?? 0;
}
