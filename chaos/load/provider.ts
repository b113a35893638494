import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook } from '@/lib/payment/sandbox/sign-webhook';
import type { Random } from '../random';
import type { Web } from '../stack/start-stack';
import { ask } from './ask';
import type { Charge, Ledger } from './ledger';

const RETRY_MS = 400;

export type CallbackKind = 'payment.succeeded' | 'payment.failed';

/** The payment provider: takes money, and tells the shop until the shop has said 200, as providers do. */
export type Provider = {
  /** Takes the money at once; then calls back `times` times at once with one id, and `others` times with others. */
  charge(charge: Charge, times: number, others: number): void;
  /** Says something of a payment without taking money. */
  tell(type: CallbackKind, payment: Charge): void;
  /** Callbacks the shop has not taken yet. */
  pending(): number;
  /** No more attempts. */
  close(): void;
};

/** @param webs callbacks go to any of them */
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
        ...{ method: 'POST', body },
        headers: signWebhook(webhookId, body),
      });
      const isTaken = reply.kind === 'answered' && reply.httpStatus === 200;
      ledger.callbacks.push({
        ...{ sentAt: reply.askedAt, answeredAt: reply.answeredAt, webhookId, type, paymentId, amountMinor },
        httpStatus: reply.kind === 'answered' ? reply.httpStatus : null,
        result: reply.kind === 'answered' ? String(reply.body.outcome ?? reply.body.code ?? '') : reply.error,
      });
      if (isTaken) break;
      await sleep(RETRY_MS);
    }
    pending -= 1;
  };
  const messageId = () => {
    messages += 1;
    return `msg_chaos_${messages}_${Date.now()}`;
  };

  return {
    charge(charge, times, others) {
      ledger.charges.set(charge.paymentId, charge);
      const id = messageId();
      for (let n = 0; n < times; n += 1) void deliver(id, 'payment.succeeded', charge);
      for (let n = 0; n < others; n += 1) void deliver(messageId(), 'payment.succeeded', charge);
    },
    tell: (type, payment) => void deliver(messageId(), type, payment),
    pending: () => pending,
    close() {
      isClosed = true;
    },
  };
}
