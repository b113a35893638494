import type { AdminSaleState, SaleOrder } from '@/lib/contract/words/sale';

/** Empty texts are not asked for; days as `date` fields give them, in the reader's time zone. */
export interface SaleListFilter {
  status: AdminSaleState | '';
  q: string;
  from: string;
  to: string;
  sort: SaleOrder;
}

/** Every sale, the newest first. */
export const ANY_SALE: SaleListFilter = { status: '', q: '', from: '', to: '', sort: 'newest' };

/** The first, or the last, ms of a day. */
const dayMs = (day: string, time: string) => (day ? String(Date.parse(`${day}T${time}`) || '') : '');

/** The filter as the interface takes it. */
export const queryOf = ({ status, q, from, to, sort }: SaleListFilter) => ({
  status,
  q,
  sort,
  from: dayMs(from, '00:00'),
  to: dayMs(to, '23:59:59.999'),
});
