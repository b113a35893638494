'use client';

import { useState } from 'react';
import { ORDER_STATUSES, type OrderFilter } from './orders-api';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useOrderFilter(): [OrderFilter, (change: Partial<OrderFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<OrderFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    const given = Object.entries(next).filter(([, value]) => value !== '');
    window.history.replaceState(null, '', `?${new URLSearchParams(given)}`);
  };
  return [filter, change];
}

function readFilter(params: URLSearchParams): OrderFilter {
  const day = (name: string) => {
    const value = params.get(name) ?? '';
    return DAY.test(value) ? value : '';
  };
  return {
    q: params.get('q') ?? '',
    status: ORDER_STATUSES.find((status) => status === params.get('status')) ?? '',
    saleId: params.get('saleId') ?? '',
    from: day('from'),
    to: day('to'),
  };
}
