import 'server-only';
import type { RiskHitView } from '@/lib/contract/shapes/risk';
import type { Db } from '@/lib/db/client';
import { toHitView } from './list-hits';

/**
 * Marks a hit as released, once; that ends its limit or challenge. @param by user id
 * @returns the hit, and whether this call released it; null if there is none.
 */
export async function releaseHit(
  tx: Db,
  hitId: string,
  by: string,
): Promise<{ hit: RiskHitView; isNew: boolean } | null> {
  if (!/^\d{1,18}$/.test(hitId)) return null;
  const id = BigInt(hitId);
  const { count } = await tx.riskHit.updateMany({
    where: { id, releasedAt: null },
    data: { releasedAt: new Date(), releasedBy: by },
  });
  const row = await tx.riskHit.findUnique({ where: { id }, include: { rule: { select: { name: true } } } });
  return row && { hit: toHitView(row), isNew: count === 1 };
}
