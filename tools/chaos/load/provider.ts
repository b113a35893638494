import { setTimeout as sleep } from 'node:timers/promises';
import { decideOutcome } from '@/lib/payment/providers/sandbox/decide-outcome';
import { signWebhook } from '@/lib/payment/providers/sandbox/sign-webhook';
import { ask } from '@/tools/harness/ask';
import type { Random } from '@/tools/harness/random';
import type { Web } from '@/tools/harness/stack/start-stack';
import type { Charge, Ledger } from './ledger';

const RETRY_MS = 400;

type CallbackKind = 'payment.succeeded' | 'payment.failed';

/** The payment provider. It takes money, and calls the shop back until the shop answers 200, as providers do. */
export type Provider = {
  /**
   * Takes the money as soon as its own books, which the sandbox keeps, can be written. Then sends `times` callbacks
   * at once with one id, and `others` callbacks with other ids.
   */
  charge(charge: Charge, times: number, others: number): void;
  /** Sends a callback about a payment without taking money. */
  tell(type: CallbackKind, payment: Charge): void;
  /** Returns how many callbacks the shop has not accepted yet. */
  pending(): number;
  /** Stops all further attempts. */
  close(): void;
};

/** Makes a provider. @param webs each callback goes to any one of them */
export function createProvider(webs: readonly Web[], ledger: Ledger, random: Random): Provider {
  let pending = 0;
  let isClosed = false;
  let messages = 0;

  const deliver = async (webhookId: string, type: CallbackKind, payment: Charge) => {
    const { paymentId, amountMinor, currency } = payment;
    const body = JSON.stringify({ type, data: { paymentId, amountMinor, currency } });
    pending += 1;
    while (!isClosed) {
      const { origin } = random.pick(webs);
      const reply = await ask(`${origin}/api/payments/webhooks/sandbox`, {
        method: 'POST',
        body,
        headers: signWebhook(webhookId, body),
      });
      const isTaken = reply.kind === 'answered' && reply.httpStatus === 200;
      ledger.callbacks.push({
        sentAt: reply.askedAt,
        answeredAt: reply.answeredAt,
        webhookId,
        type,
        paymentId,
        amountMinor,
        httpStatus: reply.kind === 'answered' ? reply.httpStatus : null,
        result: reply.kind === 'answered' ? String(reply.body.outcome ?? reply.body.code ?? '') : reply.error,
      });
      if (isTaken) break;
      await sleep(RETRY_MS);
    }
    pending -= 1;
  };
  /** Writes a charge into the books. @returns whether the money is taken */
  const book = async (charge: Charge): Promise<boolean> => {
    pending += 1;
    ledger.charges.set(charge.paymentId, charge);
    let isBooked = false;
    while (!isBooked && !isClosed) {
      isBooked = await decideOutcome(charge, 'succeeded').then(
        () => true,
        () => false,
      );
      if (!isBooked) await sleep(RETRY_MS);
    }
    pending -= 1;
    return isBooked;
  };
  const messageId = () => {
    messages += 1;
    return `msg_chaos_${messages}_${Date.now()}`;
  };

  return {
    charge(charge, times, others) {
      void book(charge).then((isBooked) => {
        if (!isBooked) return;
        const id = messageId();
        for (let n = 0; n < times; n += 1) void deliver(id, 'payment.succeeded', charge);
        for (let n = 0; n < others; n += 1) void deliver(messageId(), 'payment.succeeded', charge);
      });
    },
    tell: (type, payment) => void deliver(messageId(), type, payment),
    pending: () => pending,
    close() {
      isClosed = true;
    },
  };
}
