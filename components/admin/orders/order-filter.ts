import type { WrittenStatus } from '@/lib/contract/words/order';

export interface OrderFilter {
  /** An order number, an e-mail address or the id of an account. */
  q: string;
  status: WrittenStatus | '';
  saleId: string;
  /** Days as the browser has them, `2026-11-21`; both included. */
  from: string;
  to: string;
}

/** Midnight of a day here, `days` later; epoch ms, or nothing for what is no day. */
function dayStart(day: string, days: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + days).getTime();
  return day !== '' && Number.isFinite(at) ? String(at) : '';
}

/** The filter as the interface takes it. */
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
