'use client';

import { useUrlFilter } from '../kit/use-url-filter';

export interface ReconcileFilter {
  state: 'all' | 'broken';
  /** The sale that the user looks at; empty: none. */
  saleId: string;
}

/** Keeps the page's filter in the address, so that a link or a reload shows the same. For the browser only. */
export const useReconcileFilter = () => useUrlFilter(readFilter);

const readFilter = (params: URLSearchParams): ReconcileFilter => ({
  state: params.get('state') === 'broken' ? 'broken' : 'all',
  saleId: params.get('saleId') ?? '',
});
