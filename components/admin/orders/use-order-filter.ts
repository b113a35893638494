'use client';

import { DELIVERY_STANDS } from '@/lib/contract/words/delivery';
import { WRITTEN_STATUSES } from '@/lib/contract/words/order';
import { dayIn, useUrlFilter } from '../kit/use-url-filter';
import type { OrderSearch } from './order-filter';

/** Keeps the list's filter in the address, so that a link or a reload shows the same list. For the browser only. */
export const useOrderFilter = () => useUrlFilter<OrderSearch>(readFilter);

function readFilter(params: URLSearchParams): OrderSearch {
  return {
    q: params.get('q') ?? '',
    status: WRITTEN_STATUSES.find((status) => status === params.get('status')) ?? '',
    delivery: DELIVERY_STANDS.find((stand) => stand === params.get('delivery')) ?? '',
    saleId: params.get('saleId') ?? '',
    from: dayIn(params.get('from')),
    to: dayIn(params.get('to')),
  };
}
