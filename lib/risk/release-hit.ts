import 'server-only';
import { db } from '@/lib/db/client';
import { type RiskHitView, toHitView } from './list-hits';

/** Marks a hit as released, which ends its limit or challenge; once. @param by user id. @returns null if there is none. */
export async function releaseHit(hitId: string, by: string): Promise<RiskHitView | null> {
  if (!/^\d{1,18}$/.test(hitId)) return null;
  const id = BigInt(hitId);
  await db().riskHit.updateMany({
    where: { id, releasedAt: null },
    data: { releasedAt: new Date(), releasedBy: by },
  });
  const row = await db().riskHit.findUnique({ where: { id }, include: { rule: { select: { name: true } } } });
  return row && toHitView(row);
}
