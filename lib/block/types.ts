import type { BlockView } from '@/lib/contract/shapes/block';
import type { BlockKind } from '@/lib/contract/words/block';
import type { Block as BlockRow } from '@/prisma/generated/client';

/** Longest reason, in characters. */
export const MAX_REASON_LENGTH = 500;

/** Turns a database row into the API's view. */
export function toView(row: BlockRow): BlockView {
  return {
    id: String(row.id),
    kind: row.kind as BlockKind,
    value: row.value,
    reason: row.reason,
    by: row.blockedBy,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? null,
    liftedAt: row.liftedAt?.getTime() ?? null,
    liftedBy: row.liftedBy,
  };
}
