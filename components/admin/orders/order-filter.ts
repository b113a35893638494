import type { DeliveryStand } from '@/lib/contract/words/delivery';
import type { WrittenStatus } from '@/lib/contract/words/order';
import { dayStart } from '../kit/day-start';

export interface OrderSearch {
  /** An order number, an e-mail address or the id of an account. */
  q: string;
  status: WrittenStatus | '';
  delivery: DeliveryStand | '';
  saleId: string;
  /** Days as the browser writes them, `2026-11-21`. Both are included. */
  from: string;
  to: string;
}

/** Turns the filter into query parameters of the HTTP interface. */
export function orderQueryOf({ q, status, delivery, saleId, from, to }: OrderSearch) {
  const subject = q.trim();
  const isNumber = /^\d+$/.test(subject);
  return {
    status,
    delivery,
    saleId,
    from: dayStart(from),
    to: dayStart(to, 1),
    ...(isNumber ? { orderNo: subject } : { user: subject }),
  };
}
