import 'server-only';
import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import type { Page } from '@/lib/contract/shapes/common';
import { db } from '@/lib/db/client';
import { decodeCursor, encodeCursor } from '@/lib/http/cursor';
import { type Actor, seesAll } from '../actor';
import { type Approval, toApproval } from './types';

export const approvalFilterSchema = z.object({ status: z.enum(['pending', 'all']).default('all') });

/** `email` of the two people, where they have an account still; `isOwn`: the actor asked for it. */
export type ListedApproval = Approval & {
  requestedByEmail: string | null;
  decidedByEmail: string | null;
  isOwn: boolean;
};

/** One page of what was asked for, newest first: of the actor's sales, or everybody's. @param isOpen only the undecided */
export async function listApprovals(
  actor: Actor,
  { cursor, limit }: Page,
  isOpen: boolean,
): Promise<{ approvals: ListedApproval[]; nextCursor: string | null }> {
  const now = nowMs();
  const rows = await db().approval.findMany({
    where: {
      ...(seesAll(actor) ? {} : { sale: { merchantId: actor.userId } }),
      ...(isOpen ? { status: 'pending', expiresAt: { gt: new Date(now) } } : {}),
      ...(cursor ? { id: { lt: decodeCursor(cursor) } } : {}),
    },
    include: { sale: { select: { title: true } } },
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
