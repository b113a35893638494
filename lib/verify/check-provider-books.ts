import 'server-only';
import { plainMoney } from '@/lib/money';
import type { Misbooked } from '@/lib/payment/providers/find-misbooked';
import { bookedMoney } from '@/lib/payment/records/compare-books';
import { type ComparedBooks, compareSaleBooks } from './compare-sale-books';
import type { Findings } from './findings';

/**
 * Invariant 8: checks that every payment of a sale that a shopper opened is booked as at its provider. A provider
 * that can't answer is a finding, too: nothing counts as right that could not be checked.
 * @returns how many payments were compared. @throws connection errors.
 */
export async function checkProviderBooks(
  saleId: string,
  settleMs: number,
  findings: Findings,
): Promise<number> {
  const compared = await compareSaleBooks(saleId, settleMs);
  addMisbooked(compared, findings);
  return compared.payments;
}

/** Adds what a comparison of a sale's books has found. */
export function addMisbooked({ misbooked, silent }: ComparedBooks, findings: Findings): void {
  for (const one of misbooked) addFinding(one, findings);
  for (const [provider, error] of silent) findings.add(8, 'provider_silent', { provider, error });
}

function addFinding({ provider, own, difference, theirs }: Misbooked, findings: Findings): void {
  if (own === null || difference === 'unknown_payment') return;
  const { orderNo, status: payment } = own;
  findings.add(8, difference, {
    provider,
    orderNo,
    payment,
    ours: plainMoney(bookedMoney(own)),
    ...(theirs.status !== 'unknown' && { theirs: plainMoney(theirs) }),
  });
}
