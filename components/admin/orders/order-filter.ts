import type { WrittenStatus } from '@/lib/contract/words/order';

export interface OrderFilter {
  /** An order number, an e-mail address or the id of an account. */
  q: string;
  status: WrittenStatus | '';
  saleId: string;
  /** Days as the browser writes them, `2026-11-21`. Both are included. */
  from: string;
  to: string;
}

/** Returns midnight of a day, `days` later, in this time zone, as epoch ms. Empty if the text is no day. */
function dayStart(day: string, days: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + days).getTime();
  return day !== '' && Number.isFinite(at) ? String(at) : '';
}

/** Turns the filter into query parameters of the HTTP interface. */
export function queryOf({ q, status, saleId, from, to }: OrderFilter) {
  const subject = q.trim();
  const isNumber = /^\d+$/.test(subject);
  return {
    status,
    saleId,
    from: dayStart(from, 0),
    to: dayStart(to, 1),
    ...(isNumber ? { orderNo: subject } : { user: subject }),
  };
}
