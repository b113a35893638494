'use client';

import { DESK_SALE_STATES, SALE_ORDERS } from '@/lib/contract/words/sale';
import { cutText } from '@/lib/human-text';
import { dayIn, readTexts, useUrlFilter } from '../kit/use-url-filter';
import { ANY_SALE, type SaleListFilter } from './sale-list-filter';

/** Keeps the list's filter in the address. Values that no filter can have are ignored. For the browser only. */
export function useSaleFilter(): [SaleListFilter, (change: Partial<SaleListFilter>) => void] {
  const [given, change] = useUrlFilter(readTexts<Record<keyof SaleListFilter, string>>(ANY_SALE));
  const filter: SaleListFilter = {
    status: DESK_SALE_STATES.find((state) => state === given.status) ?? '',
    q: cutText(given.q, 200),
    from: dayIn(given.from),
    to: dayIn(given.to),
    sort: SALE_ORDERS.find((order) => order === given.sort) ?? 'newest',
  };
  return [filter, change];
}
