import { verifyLines } from '@/lib/admin/verify/verify-lines';
import { verifyLog } from '@/lib/admin/verify/verify-log';
import { verifyProofs } from '@/lib/admin/verify/verify-proofs';
import { verifySale } from '@/lib/admin/verify/verify-sale';
import type { Violation } from './types';

/** Does what `npm run verify` does with these sales. @returns what it finds broken. @throws connection errors */
export async function verifyRound(saleIds: readonly string[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const saleId of saleIds) {
    const verification = await verifySale(saleId);
    for (const { id, ok, detail } of verification?.invariants ?? [])
      if (!ok) found.push({ rule: `invariant ${id}`, problem: detail, orderNos: numbersIn(detail) });
    const checks = [
      { rule: 'decision log', ...(await verifyLog(saleId)) },
      { rule: 'waiting rooms', ...(await verifyLines(saleId)) },
      { rule: 'orders of lines and draws', ...(await verifyProofs(saleId)) },
    ];
    for (const { rule, ok, detail } of checks)
      if (!ok) found.push({ rule, problem: detail, orderNos: numbersIn(detail) });
  }
  return found;
}

/** Returns the order numbers in a sentence of `verify`. */
const numbersIn = (text: string): string[] => text.match(/\b\d{15,20}\b/g) ?? [];
