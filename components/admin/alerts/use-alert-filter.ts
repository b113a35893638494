'use client';

import type { AlertFilter as Wanted } from '@/lib/contract/shapes/alert';
import { ALERT_RULE_IDS, type AlertRuleId } from '@/lib/contract/words/alert';
import { useUrlFilter } from '../kit/use-url-filter';

export const ALERT_FILTER_STATES = ['active', 'resolved', 'all'] as const satisfies Wanted['state'][];

interface AlertFilter {
  state: (typeof ALERT_FILTER_STATES)[number];
  rule: AlertRuleId | '';
}

/** Keeps the list's filter in the address, so that a link or a reload shows the same list. For the browser only. */
export const useAlertFilter = () => useUrlFilter<AlertFilter>(readFilter);

function readFilter(params: URLSearchParams): AlertFilter {
  return {
    state: ALERT_FILTER_STATES.find((state) => state === params.get('state')) ?? 'active',
    rule: ALERT_RULE_IDS.find((rule) => rule === params.get('rule')) ?? '',
  };
}
