'use client';

import { DELIVERY_STANDS } from '@/lib/contract/words/delivery';
import { WRITTEN_STATUSES } from '@/lib/contract/words/order';
import { useUrlFilter } from '../kit/use-url-filter';
import type { OrderSearch } from './order-filter';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Keeps the list's filter in the address, so that a link or a reload shows the same list. For the browser only. */
export const useOrderFilter = () => useUrlFilter<OrderSearch>(readFilter);

function readFilter(params: URLSearchParams): OrderSearch {
  const day = (name: string) => {
    const value = params.get(name) ?? '';
    return DAY.test(value) ? value : '';
  };
  return {
    q: params.get('q') ?? '',
    status: WRITTEN_STATUSES.find((status) => status === params.get('status')) ?? '',
    delivery: DELIVERY_STANDS.find((stand) => stand === params.get('delivery')) ?? '',
    saleId: params.get('saleId') ?? '',
    from: day('from'),
    to: day('to'),
  };
}
