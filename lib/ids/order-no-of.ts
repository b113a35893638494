import { parseOrderNo } from './order-no';

const PAYMENT_ID = /^pay_(\d+)$/;

/** Returns the number of the order that a payment belongs to, as its id says; null if the id is none of ours. */
export function orderNoOf(paymentId: string): string | null {
  const orderNo = PAYMENT_ID.exec(paymentId)?.[1];
  return orderNo !== undefined && parseOrderNo(orderNo) !== null ? orderNo : null;
}
