'use client';

import { RISK_SUBJECTS, type RiskSubject } from '@/lib/contract/words/risk';
import { useUrlFilter } from '../kit/use-url-filter';

export interface HitFilter {
  state: 'live' | 'all';
  ruleId: string;
  kind: RiskSubject | '';
  value: string;
  saleId: string;
}

/** Keeps the filter of the hits in the address, so that a link or a reload shows the same hits. For the browser only. */
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
