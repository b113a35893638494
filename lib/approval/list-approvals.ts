import 'server-only';
import { type Actor, shopsOf } from '@/lib/actor/actor';
import { nowMs } from '@/lib/clock';
import type { ApprovalFilter, ListedApproval } from '@/lib/contract/shapes/approval';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { toApproval, WITH_SALE } from './to-approval';

/** Returns one page of requests, newest first: of the actor's shops, or of all; only the undecided, or all. */
export async function listApprovals(
  actor: Actor,
  { cursor, limit }: Page,
  { status }: ApprovalFilter,
): Promise<{ approvals: ListedApproval[]; nextCursor: string | null }> {
  const now = nowMs();
  const shops = await shopsOf(actor);
  const rows = await db().approval.findMany({
    where: {
      ...(shops === null ? {} : { sale: { merchantId: { in: shops } } }),
      ...(status === 'pending' ? { status: 'pending', expiresAt: { gt: new Date(now) } } : {}),
      ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
    },
    include: WITH_SALE,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const people = page.flatMap(({ requestedBy, decidedBy }) => [
    requestedBy,
    ...(decidedBy ? [decidedBy] : []),
  ]);
  const users = await db().user.findMany({
    where: { id: { in: people } },
    select: { id: true, email: true },
  });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const last = page.at(-1);
  return {
    approvals: page.map((row) => ({
      ...toApproval(row, now),
      requestedByEmail: emails.get(row.requestedBy) ?? null,
      decidedByEmail: emails.get(row.decidedBy ?? '') ?? null,
      isOwn: row.requestedBy === actor.userId,
    })),
    nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null,
  };
}
