import 'server-only';
import type { PointsKind } from '@/lib/contract/words/points';
import { db } from '@/lib/db/client';

/** An entry for an order: the points it earned, or those its refund takes back. */
export type PointsWrite = { userId: string; orderNo: string; kind: PointsKind; points: number };

/** Adds entries to the ledger, each once per order and kind: a repetition changes nothing. @returns how many were new. */
export async function writePoints(entries: readonly PointsWrite[]): Promise<number> {
  return db().$executeRaw`
    INSERT INTO points_entries (user_id, order_id, kind, points)
    SELECT * FROM unnest(${entries.map(({ userId }) => userId)}::text[],
                         ${entries.map(({ orderNo }) => orderNo)}::text[]::bigint[],
                         ${entries.map(({ kind }) => kind)}::text[],
                         ${entries.map(({ points }) => points)}::int[])
    ON CONFLICT (order_id, kind) DO NOTHING`;
}
