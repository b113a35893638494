import type { AdminSaleState, SaleOrder } from '@/lib/contract/words/sale';

/** Empty texts don't filter. Days are in the format of `date` fields, in the reader's time zone. */
export interface SaleListFilter {
  status: AdminSaleState | '';
  q: string;
  from: string;
  to: string;
  sort: SaleOrder;
}

/** Shows every sale, the newest first. */
export const ANY_SALE: SaleListFilter = { status: '', q: '', from: '', to: '', sort: 'newest' };

/** Returns a moment of a day as epoch ms: the day's first or last ms. Empty if there is no day. */
const dayMs = (day: string, time: string) => (day ? String(Date.parse(`${day}T${time}`) || '') : '');

/** Turns the filter into query parameters of the HTTP interface. */
export const saleQueryOf = ({ status, q, from, to, sort }: SaleListFilter) => ({
  status,
  q,
  sort,
  from: dayMs(from, '00:00'),
  to: dayMs(to, '23:59:59.999'),
});
