import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import { literal } from '@/lib/db/literal';
import { readStale } from '@/lib/db/read-stale';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import type { AuditEntry } from '@/prisma/generated/client';

type ActionFilter = {
  actorId?: string;
  /** The beginning of the action's name: `sale.`, `order.refund`. */
  action?: string;
  subjectId?: string;
  /** Epoch ms, inclusive. */
  from?: number;
  /** Epoch ms, exclusive. */
  to?: number;
};

/** Returns one page of the audit log, newest first. @returns null for a foreign cursor. */
export async function listActions(
  { cursor, limit }: Page,
  { actorId, action, subjectId, from, to }: ActionFilter,
): Promise<{ entries: AuditEntry[]; nextCursor: string | null } | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const rows = await readStale((client) =>
    client.auditEntry.findMany({
      where: {
        id: before === undefined ? undefined : { lt: BigInt(before) },
        actorId,
        action: action === undefined ? undefined : { startsWith: literal(action) },
        subjectId,
        at: { gte: dateOf(from), lt: dateOf(to) },
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    }),
  );
  const { page: entries, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  return { entries, nextCursor };
}

const dateOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
