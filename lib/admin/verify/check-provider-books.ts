import 'server-only';
import type { Misbooked } from '@/lib/payment/find-misbooked';
import { compareSaleBooks } from './compare-sale-books';
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
  const { payments, misbooked, silent } = await compareSaleBooks(saleId, settleMs);
  for (const one of misbooked) addFinding(one, findings);
  for (const [provider, error] of silent) findings.add(8, 'provider_silent', { provider, error });
  return payments;
}

function addFinding({ provider, own, difference, theirs }: Misbooked, findings: Findings): void {
  if (own === null || difference === 'unknown_payment') return;
  const { amountMinor: ownMinor, currency: ownCurrency } = own.taken ?? own;
  const { orderNo, status: payment } = own;
  const values = { provider, orderNo, payment, ownMinor, ownCurrency };
  const hasMoney = theirs.status !== 'unknown';
  findings.add(8, difference, {
    ...values,
    ...(hasMoney && { theirMinor: theirs.amountMinor, theirCurrency: theirs.currency }),
  });
}
