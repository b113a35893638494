'use client';

import { useState } from 'react';

export interface ReconcileFilter {
  state: 'all' | 'broken';
  /** The sale that is looked at; empty: none. */
  saleId: string;
}

/** What the page shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useReconcileFilter(): [ReconcileFilter, (change: Partial<ReconcileFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<ReconcileFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [filter, change];
}

const readFilter = (params: URLSearchParams): ReconcileFilter => ({
  state: params.get('state') === 'broken' ? 'broken' : 'all',
  saleId: params.get('saleId') ?? '',
});
