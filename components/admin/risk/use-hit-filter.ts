'use client';

import { RISK_SUBJECTS } from '@/lib/risk/types';
import { useUrlFilter } from '../use-url-filter';
import type { HitFilter } from './risk-api';

/** What the list of hits shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export const useHitFilter = () => useUrlFilter(readFilter);

function readFilter(params: URLSearchParams): HitFilter {
  return {
    state: params.get('state') === 'live' ? 'live' : 'all',
    kind: RISK_SUBJECTS.find((kind) => kind === params.get('kind')) ?? '',
    ruleId: params.get('ruleId') ?? '',
    value: params.get('value') ?? '',
    saleId: params.get('saleId') ?? '',
  };
}
