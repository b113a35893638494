import { fetchJson } from '@/components/api/fetch-json';
import type { AlertRuleId, AlertUnit } from '@/lib/alert/rules';

export const ALERT_FILTER_STATES = ['active', 'resolved', 'all'] as const;

/** Times in ms. */
export interface AlertView {
  id: string;
  rule: string;
  unit: AlertUnit;
  /** Which sale, topic, lock …; empty where there is one only. */
  subject: string;
  saleId: string | null;
  saleTitle: string | null;
  state: 'pending' | 'firing' | 'resolved';
  value: number;
  peak: number;
  threshold: number;
  since: number;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  acknowledgedByEmail: string | null;
  note: string | null;
}

export interface AlertPage {
  alerts: AlertView[];
  nextCursor: string | null;
  /** Of all that the reader may see, whatever the filter. */
  firing: number;
  unacknowledged: number;
}

export interface AlertRuleView {
  id: AlertRuleId;
  unit: AlertUnit;
  threshold: number;
  defaultThreshold: number;
  forSec: number;
  enabled: boolean;
  version: number;
}

export interface AlertFilter {
  state: (typeof ALERT_FILTER_STATES)[number];
  rule: AlertRuleId | '';
}

const ALERTS = '/api/admin/alerts';

export const getAlerts = (filter: AlertFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<AlertPage>(`${ALERTS}?${new URLSearchParams({ ...filter, cursor: cursor ?? '' })}`, {
    signal,
    cache: 'no-store',
  });

/** Only how many there are. */
export const getAlertCounts = (signal?: AbortSignal) =>
  fetchJson<AlertPage>(`${ALERTS}?limit=1`, { signal, cache: 'no-store' });

export const postAcknowledge = (id: string, note: string) =>
  fetchJson<AlertView>(`${ALERTS}/${id}/acknowledge`, { method: 'POST', body: { note } });

export const getAlertRules = (signal?: AbortSignal) =>
  fetchJson<{ rules: AlertRuleView[] }>(`${ALERTS}/rules`, { signal, cache: 'no-store' });

export const patchAlertRule = (change: {
  ruleId: AlertRuleId;
  version: number;
  threshold?: number;
  enabled?: boolean;
}) => fetchJson<AlertRuleView>(`${ALERTS}/rules`, { method: 'PATCH', body: change });
