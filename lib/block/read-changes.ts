import 'server-only';
import type { BlockKind } from '@/lib/contract/words/block';
import { db } from '@/lib/db/client';
import type { BlockChange } from './block-memory';

const PAGE_SIZE = 5_000;

type Row = {
  kind: BlockKind;
  value: string;
  expires_at: Date | null;
  is_lifted: boolean;
  change: bigint;
};

/** Returns the list's present position: reading on from here misses no later change. */
export async function readMark(): Promise<bigint> {
  const [row] = await db().$queryRaw<{ mark: bigint }[]>`SELECT COALESCE(max(change), 0) AS mark FROM blocks`;
  return row?.mark ?? 0n;
}

/**
 * Yields the blocks in force at `mark`, in pages.
 * @param mark from `readMark`; `streamChanges` yields later changes.
 */
export async function* streamLive(mark: bigint): AsyncGenerator<BlockChange[]> {
  for (let after = 0n; ; ) {
    const rows = await db().$queryRaw<Row[]>`
      SELECT kind, value, expires_at, false AS is_lifted, change FROM blocks
      WHERE change > ${after} AND change <= ${mark} AND lifted_at IS NULL AND (expires_at IS NULL OR expires_at > now())
      ORDER BY change LIMIT ${PAGE_SIZE}`;
    yield rows.map(toChange);
    if (rows.length < PAGE_SIZE) return;
    after = (rows.at(-1) as Row).change;
  }
}

/** Yields the changes after `mark`, in order, in pages, each with the mark to go on from. */
export async function* streamChanges(mark: bigint): AsyncGenerator<{ changes: BlockChange[]; mark: bigint }> {
  for (let after = mark; ; ) {
    const rows = await db().$queryRaw<Row[]>`
      SELECT kind, value, expires_at, lifted_at IS NOT NULL AS is_lifted, change FROM blocks
      WHERE change > ${after} ORDER BY change LIMIT ${PAGE_SIZE}`;
    after = rows.at(-1)?.change ?? after;
    yield { changes: rows.map(toChange), mark: after };
    if (rows.length < PAGE_SIZE) return;
  }
}

function toChange({ kind, value, expires_at, is_lifted }: Row): BlockChange {
  return { kind, value, expiresAt: expires_at?.getTime() ?? null, isLifted: is_lifted };
}
