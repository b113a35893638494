import 'server-only';
import type { RefusalPlace, RiskClass } from '@/lib/contract/words/attempt';
import { db } from '@/lib/db/client';
import type { Refusal } from './types';

/** There are few different kinds of refusals; no shopper has more than this. */
const MOST = 100;

/** Returns everything one user was refused in a sale, in the order of the first of each kind. */
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

/** Returns how many refusals of a sale, of all users, could not be kept. */
export async function countLost(saleId: string): Promise<number> {
  return Number((await db().lostRefusals.findUnique({ where: { saleId } }))?.times ?? 0);
}
