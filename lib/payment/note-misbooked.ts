import 'server-only';
import { log } from '@/lib/http/log';
import { plainMoney } from '@/lib/money';
import { reportProblem } from '@/lib/outbox/report-problem';
import { type Misbooked, nameOf, PROVIDER_BOOKS } from '@/lib/payment/providers/find-misbooked';
import { bookedMoney } from '@/lib/payment/records/compare-books';
import type { ProviderState } from '@/lib/payment/records/types';

/**
 * Reports payments to staff whose provider has other books than ours: each is one dead letter at a time, with its
 * alert. No program touches money whose order is paid, that was sent back already, or that is not ours.
 */
export async function noteMisbooked(found: readonly Misbooked[]): Promise<void> {
  for (const one of found) {
    const { provider, paymentId, own, difference } = one;
    const [messageId, error] = [nameOf(one), describeMisbooked(one)];
    const isNew = await reportProblem({
      consumer: PROVIDER_BOOKS,
      messageId,
      error,
      ...(own ? { saleId: own.saleId, orderNo: BigInt(own.orderNo) } : {}),
      payload: { provider, paymentId, difference },
    });
    if (isNew)
      log.error({ paymentId, provider, difference, orderNo: own?.orderNo }, 'the provider has other books');
  }
}

/** Describes how the two books differ, in one English sentence. */
export function describeMisbooked({ provider, paymentId, own, theirs }: Misbooked): string {
  const ours = own ? `booked here as ${own.status}, ${plainMoney(bookedMoney(own))}` : 'unknown here';
  return `payment ${paymentId} is ${ours}; ${provider} says ${sayState(theirs)}`;
}

function sayState(state: ProviderState): string {
  if (state.status === 'unknown') return 'it knows nothing of it';
  const { status, amountMinor, currency, returnedMinor = 0, isDisputed } = state;
  const returned =
    returnedMinor > 0 ? ` beside ${plainMoney({ amountMinor: returnedMinor, currency })} that went back` : '';
  return `${status}, ${plainMoney({ amountMinor, currency })}${returned}${isDisputed ? ', and disputed' : ''}`;
}
