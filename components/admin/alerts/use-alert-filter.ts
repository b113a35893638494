'use client';

import { useState } from 'react';
import { ALERT_RULE_IDS } from '@/lib/alert/rules';
import { ALERT_FILTER_STATES, type AlertFilter } from './alerts-api';

/** What the list shows, kept in the address so that a link or a reload shows the same. For the browser only. */
export function useAlertFilter(): [AlertFilter, (change: Partial<AlertFilter>) => void] {
  const [filter, setFilter] = useState(() => readFilter(new URLSearchParams(window.location.search)));
  const change = (part: Partial<AlertFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    window.history.replaceState(null, '', `?${new URLSearchParams({ ...next })}`);
  };
  return [filter, change];
}

function readFilter(params: URLSearchParams): AlertFilter {
  return {
    state: ALERT_FILTER_STATES.find((state) => state === params.get('state')) ?? 'active',
    rule: ALERT_RULE_IDS.find((rule) => rule === params.get('rule')) ?? '',
  };
}
