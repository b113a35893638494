import type { WrittenStatus } from '@/lib/contract/words/order';
import { dayStart } from '../kit/day-start';

export interface OrderFilter {
  /** An order number, an e-mail address or the id of an account. */
  q: string;
  status: WrittenStatus | '';
  saleId: string;
  /** Days as the browser writes them, `2026-11-21`. Both are included. */
  from: string;
  to: string;
  /** Only what is to be packed. */
  toPack: 'true' | '';
}

/** Turns the filter into query parameters of the HTTP interface. */
export function queryOf({ q, status, saleId, from, to, toPack }: OrderFilter) {
  const subject = q.trim();
  const isNumber = /^\d+$/.test(subject);
  return {
    status,
    saleId,
    toPack,
    from: dayStart(from),
    to: dayStart(to, 1),
    ...(isNumber ? { orderNo: subject } : { user: subject }),
  };
}
