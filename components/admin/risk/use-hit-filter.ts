'use client';

import { useState } from 'react';
import { RISK_SUBJECTS } from '@/lib/risk/types';
import type { HitFilter } from './risk-api';

/** What the list of hits shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useHitFilter(): [HitFilter, (change: Partial<HitFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<HitFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [filter, change];
}

function readFilter(params: URLSearchParams): HitFilter {
  return {
    state: params.get('state') === 'live' ? 'live' : 'all',
    kind: RISK_SUBJECTS.find((kind) => kind === params.get('kind')) ?? '',
    ruleId: params.get('ruleId') ?? '',
    value: params.get('value') ?? '',
    saleId: params.get('saleId') ?? '',
  };
}
