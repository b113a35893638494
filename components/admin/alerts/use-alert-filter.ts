'use client';

import { ALERT_RULE_IDS } from '@/lib/alert/rules';
import { useUrlFilter } from '../use-url-filter';
import { ALERT_FILTER_STATES, type AlertFilter } from './alerts-api';

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export const useAlertFilter = () => useUrlFilter<AlertFilter>(readFilter);

function readFilter(params: URLSearchParams): AlertFilter {
  return {
    state: ALERT_FILTER_STATES.find((state) => state === params.get('state')) ?? 'active',
    rule: ALERT_RULE_IDS.find((rule) => rule === params.get('rule')) ?? '',
  };
}
