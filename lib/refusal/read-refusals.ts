import 'server-only';
import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import { db } from '@/lib/db/client';
import type { Refusal } from './types';

/** Different kinds of refusals are few; more than this is nobody's. */
const MOST = 100;

/** Everything one person was refused in a sale, in the order of the first of each kind. */
export async function readRefusals(saleId: string, userId: string): Promise<Refusal[]> {
  const rows = await db().refusal.findMany({
    where: { saleId, userId },
    orderBy: [{ firstAt: 'asc' }, { code: 'asc' }],
    take: MOST,
  });
  return rows.map((row) => ({
    ...row,
    place: row.place as RefusalPlace,
    code: row.code as Refusal['code'],
    risk: row.risk as RiskClass,
    firstAt: row.firstAt.getTime(),
    lastAt: row.lastAt.getTime(),
  }));
}

/** How many refusals of a sale, of whomever, could not be kept. */
export async function countLost(saleId: string): Promise<number> {
  return Number((await db().lostRefusals.findUnique({ where: { saleId } }))?.times ?? 0);
}
