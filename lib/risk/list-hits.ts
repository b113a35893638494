import 'server-only';
import type { Page } from '@/lib/contract/shapes/common';
import type { HitFilter, ListedHit, RiskHitView, RuleAction } from '@/lib/contract/shapes/risk';
import type { RiskSubject } from '@/lib/contract/words/risk';
import { db } from '@/lib/db/client';
import { decodeCursor, pageOfRows } from '@/lib/http/cursor';
import type { RiskHit as HitRow, Prisma } from '@/prisma/generated/client';

/** Returns one page of hits, newest first. @returns null for a foreign cursor. */
export async function listHits(
  { cursor, limit }: Page,
  { ruleId, saleId, kind, value, state = 'all' }: HitFilter,
): Promise<{ hits: ListedHit[]; nextCursor: string | null } | null> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  if (before !== undefined && !/^\d{1,18}$/.test(before)) return null;
  const where: Prisma.RiskHitWhereInput = {
    ruleId,
    saleId,
    kind,
    value,
    ...(state === 'live' ? { releasedAt: null, dryRun: false, expiresAt: { gt: new Date() } } : {}),
    id: before === undefined ? undefined : { lt: BigInt(before) },
  };
  const rows = await db().riskHit.findMany({
    where,
    orderBy: { id: 'desc' },
    take: limit + 1,
    include: { rule: { select: { name: true } } },
  });
  const { page, nextCursor } = pageOfRows(rows, limit, (last) => String(last.id));
  const users = await db().user.findMany({
    where: { id: { in: page.flatMap((row) => (row.kind === 'user' ? row.value : [])) } },
    select: { id: true, email: true },
  });
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  return {
    hits: page.map((row) => ({
      ...toHitView(row),
      email: (row.kind === 'user' && emails.get(row.value)) || null,
    })),
    nextCursor,
  };
}

/** Turns a database row into the API's view. */
export function toHitView(row: HitRow & { rule: { name: string } }): RiskHitView {
  return {
    hitId: String(row.id),
    ruleId: row.ruleId,
    ruleName: row.rule.name,
    ruleVersion: row.ruleVersion,
    kind: row.kind as RiskSubject,
    value: row.value,
    counters: row.counters as RiskHitView['counters'],
    action: row.action as RuleAction,
    isDryRun: row.dryRun,
    saleId: row.saleId,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt?.getTime() ?? null,
    releasedAt: row.releasedAt?.getTime() ?? null,
    releasedBy: row.releasedBy,
  };
}
