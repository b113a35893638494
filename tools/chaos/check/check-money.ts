import type { Case, Violation } from './types';

const TAKEN = new Set(['succeeded', 'refund_due', 'refunded']);

/**
 * Checks the money against the provider's own books. Money that was taken has paid its order once, or went back.
 * Exactly the money taken for an order pays it; a callback with other figures never does. If a shopper paid the
 * amount that the page asked for, that money never goes back as other money.
 */
export function checkMoney({ ledger, books }: Case): Violation[] {
  const found: Violation[] = [];
  const orders = new Map(books.orders.map((order) => [order.orderNo, order]));
  const payments = new Map(books.payments.map((payment) => [payment.paymentId, payment]));
  const sentBack = new Set(books.provider.filter((one) => one.isSentBack).map(({ paymentId }) => paymentId));
  const broken = (problem: string, orderNo: string) =>
    found.push({ rule: 'money', problem, orderNos: [orderNo] });

  for (const { paymentId, orderNo, amountMinor, currency, isWrong } of ledger.charges.values()) {
    const [order, payment] = [orders.get(orderNo), payments.get(paymentId)];
    if (!order || !payment) {
      broken(`${amountMinor} were taken for order ${orderNo}, which does not exist`, orderNo);
      continue;
    }
    const isBack = sentBack.has(paymentId);
    const isPaid = order.status === 'paid' && payment.status === 'succeeded' && !isBack;
    const isRefunded = order.status !== 'paid' && payment.status === 'refunded' && isBack;
    if (!isPaid && !isRefunded) {
      const where = isBack ? 'sent back' : 'kept';
      broken(
        `money was taken for ${orderNo} and ${where}: order ${order.status}, payment ${payment.status}`,
        orderNo,
      );
    }
    const isOther = payment.amountMinor !== amountMinor || payment.currency !== currency;
    if (isOther && (isPaid || !isWrong || payment.takenMinor !== amountMinor)) {
      broken(`${orderNo} has a payment whose amount differs from the money taken`, orderNo);
    }
  }
  for (const { orderNo, status, amountMinor, currency } of books.orders) {
    const own = books.payments.filter((payment) => payment.orderNo === orderNo);
    const taken = own.filter((payment) => TAKEN.has(payment.status));
    if (status === 'paid') {
      const isExact = taken[0]?.amountMinor === amountMinor && taken[0].currency === currency;
      if (taken.length !== 1 || taken[0]?.status !== 'succeeded' || !isExact) {
        broken(`paid order ${orderNo} has payments ${JSON.stringify(own)}`, orderNo);
      }
    } else if (taken.some((payment) => payment.status !== 'refunded')) {
      broken(`order ${orderNo} is ${status}, and its money was neither used nor given back`, orderNo);
    }
    if (taken.some(({ paymentId }) => !ledger.charges.has(paymentId))) {
      broken(`order ${orderNo} was paid with money that was never taken`, orderNo);
    }
  }
  const applied = new Map<string, number>();
  for (const { paymentId, type, outcome } of books.events) {
    if (type !== 'payment.succeeded' || outcome !== 'applied') continue;
    applied.set(paymentId, (applied.get(paymentId) ?? 0) + 1);
  }
  for (const [paymentId, times] of applied) {
    if (times > 1) broken(`payment ${paymentId} was applied ${times} times`, paymentId.replace('pay_', ''));
  }
  return found;
}
