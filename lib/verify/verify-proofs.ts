import 'server-only';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { db } from '@/lib/db/client';
import { readProof } from '@/lib/line/records/read-proof';
import { checkOrder, type OrderCheck, type ProvenEntry } from '@/lib/shuffle/check-order';

/**
 * Recomputes the order of every line that was shuffled and every draw, or of one sale's, from what is published of it.
 * 200,000 entrants take some seconds.
 * @returns whether all are right, and in words what is wrong. @throws connection errors
 */
export async function verifyProofs(saleId?: string): Promise<{ ok: boolean; detail: string }> {
  const lines = await db().line.findMany({
    where: { saleId, shuffledAt: { not: null } },
    select: { saleId: true, early: true, sale: { select: { admission: true } } },
    orderBy: { saleId: 'asc' },
  });
  const faults: string[] = [];
  let entrants = 0;
  for (const line of lines) {
    entrants += line.early ?? 0;
    const check = await checkLine(line.saleId, line.sale.admission as SaleAdmission);
    if (!check.ok)
      faults.push(
        `${line.saleId}: ${check.problem}${check.number === undefined ? '' : ` at number ${check.number}`}`,
      );
  }
  if (faults.length > 0) return { ok: false, detail: faults.join('; ') };
  return { ok: true, detail: `${lines.length} orders of ${entrants} people follow from what is published` };
}

async function checkLine(saleId: string, admission: SaleAdmission): Promise<OrderCheck> {
  const entries: ProvenEntry[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = await readProof({ saleId, admission }, from);
    if (!page?.shuffle) return { ok: false, problem: 'entries_changed' };
    entries.push(...page.entries);
    if (page.next === null) return checkOrder({ ...page.shuffle, seedHash: page.seedHash, entries });
    from = page.next;
  }
  return { ok: false, problem: 'entries_changed' };
}
