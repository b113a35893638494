'use client';

import { useState } from 'react';
import { SALE_ORDERS, SALE_STATES, type SaleListFilter } from './sales-api';

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useSaleFilter(): [SaleListFilter, (change: Partial<SaleListFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<SaleListFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    const asked = Object.entries(next).filter(([, value]) => value !== '' && value !== 'newest');
    const query = new URLSearchParams(asked).toString();
    window.history.replaceState(null, '', query ? `?${query}` : window.location.pathname);
  };
  return [filter, change];
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string | null): string => (text && DAY.test(text) ? text : '');

function readFilter(params: URLSearchParams): SaleListFilter {
  return {
    status: SALE_STATES.find((state) => state === params.get('status')) ?? '',
    q: params.get('q')?.slice(0, 200) ?? '',
    from: day(params.get('from')),
    to: day(params.get('to')),
    sort: SALE_ORDERS.find((order) => order === params.get('sort')) ?? 'newest',
  };
}
