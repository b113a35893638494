import 'server-only';
import type { Db } from '@/lib/db/client';
import { db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { log } from '@/lib/http/log';
import { reachProvider } from '@/lib/payment/providers/reach-provider';
import type { StoredPayment } from '@/lib/payment/records/find-payment';
import { lockPayment } from '@/lib/payment/records/lock-payment';
import { markPartSent, readParts, renewAttempt } from '@/lib/payment/records/refund-parts';
import type { RefundPart } from '@/prisma/generated/client';
import { tellReturn } from './tell-return';

/**
 * Sends the parts of a payment that are still due, one after the other. A part goes only while the provider holds more
 * than the books say after it, so a repeated call changes nothing, and what staff sent back at the provider counts.
 * @returns how many parts this call recorded as sent
 * @throws if the provider refuses, or can't be reached
 */
export async function sendParts(payment: StoredPayment): Promise<number> {
  let keptMinor = payment.amountMinor;
  let recorded = 0;
  for (const part of await readParts(db(), payment.paymentId)) {
    keptMinor -= part.amountMinor;
    if (part.sentAt !== null) continue;
    await send(payment, part, keptMinor);
    if (await record(payment, part)) recorded += 1;
  }
  return recorded;
}

/** @param keptMinor what the shop keeps after this part */
async function send(
  { paymentId, currency, provider: name }: StoredPayment,
  part: RefundPart,
  keptMinor: number,
): Promise<void> {
  const state = await reachProvider(name, (provider) => provider.queryState(paymentId));
  if (state.status === 'refunded') return;
  if (state.status !== 'succeeded' || state.currency !== currency)
    throw new Error(
      `${name} holds no ${currency} of ${paymentId} that could go back: it says ${state.status}`,
    );
  const amountMinor = Math.min(state.amountMinor - keptMinor, part.amountMinor);
  const { nth, attempt } = part;
  if (amountMinor < part.amountMinor)
    log.warn(
      { paymentId, nth, amountMinor, of: part.amountMinor },
      'the provider has sent a part back before',
    );
  if (amountMinor <= 0) return;
  // The key stays until the provider has refused it: another process may send the same part at any time.
  const key = `part ${paymentId} ${nth} ${attempt}`;
  const refund = { paymentId, amountMinor, currency, key };
  const result = await reachProvider(name, (provider) => provider.refundPart(refund));
  if (result.status === 'sent') return;
  await renewAttempt(part);
  throw new Error(`${name} refused to send part ${nth} of ${paymentId} back: ${result.detail}`);
}

const record = (payment: StoredPayment, part: RefundPart): Promise<boolean> =>
  transaction(async (tx) => {
    await lockPayment(tx, payment.provider, payment.paymentId);
    return bookPart(tx, payment, part);
  });

/**
 * Records that a part is on its way back, for the books, the history and the shopper. Call it under the payment's lock.
 * @returns false if it was recorded before
 */
export async function bookPart(tx: Db, payment: StoredPayment, part: RefundPart): Promise<boolean> {
  if (!(await markPartSent(tx, part))) return false;
  const { amountMinor, nth } = part;
  await tellReturn(tx, payment, { cause: 'part_returned', amountMinor, currency: payment.currency, nth });
  return true;
}
