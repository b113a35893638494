import 'server-only';
import { log } from '@/lib/http/log';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { reopenDeadLetter } from '@/lib/outbox/reopen-dead-letter';
import { type Misbooked, nameOf, PROVIDER_BOOKS } from '@/lib/payment/find-misbooked';
import type { Money, ProviderState } from '@/lib/payment/provider';

/**
 * Puts payments of which the provider has other books in front of a person: each is a dead letter, once at a time, and its alert. No
 * machine touches money whose order is paid, that was sent back already, or that is none of ours.
 */
export async function noteMisbooked(found: readonly Misbooked[]): Promise<void> {
  for (const one of found) {
    const { provider, paymentId, own, difference } = one;
    const [messageId, error] = [nameOf(one), describeMisbooked(one)];
    const isNew = await recordDeadLetter({
      consumer: PROVIDER_BOOKS,
      messageId,
      error,
      ...(own ? { saleId: own.saleId, orderNo: BigInt(own.orderNo) } : {}),
      payload: { provider, paymentId, difference },
    });
    if (isNew || (await reopenDeadLetter(PROVIDER_BOOKS, messageId, error)))
      log.error({ paymentId, provider, difference, orderNo: own?.orderNo }, 'the provider has other books');
  }
}

/** The two books in one English sentence. */
export function describeMisbooked({ provider, paymentId, own, theirs }: Misbooked): string {
  const ours = own ? `booked here as ${own.status}, ${words(own.taken ?? own)}` : 'unknown here';
  return `payment ${paymentId} is ${ours}; ${provider} says ${sayState(theirs)}`;
}

const words = ({ amountMinor, currency }: Money) => `${amountMinor} ${currency}`;

function sayState(state: ProviderState): string {
  return state.status === 'unknown' ? 'it knows nothing of it' : `${state.status}, ${words(state)}`;
}
