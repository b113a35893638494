import { fetchJson } from '@/components/api/fetch-json';
import type { DryRun } from '@/lib/risk/dry-run';
import type { ListedHit, RiskHitView } from '@/lib/risk/list-hits';
import type { CreateRuleInput, EditRuleInput, RuleDefinition } from '@/lib/risk/rule-schema';
import type { RiskRule, RiskSubject } from '@/lib/risk/types';

export interface HitFilter {
  state: 'live' | 'all';
  ruleId: string;
  kind: RiskSubject | '';
  value: string;
  saleId: string;
}

export interface HitPage {
  hits: ListedHit[];
  nextCursor: string | null;
}

const RULES = '/api/admin/risk/rules';
const HITS = '/api/admin/risk/hits';

export const getRules = (signal?: AbortSignal) =>
  fetchJson<{ rules: RiskRule[] }>(RULES, { signal, cache: 'no-store' });

export const postRule = (body: CreateRuleInput) => fetchJson<RiskRule>(RULES, { method: 'POST', body });

export const patchRule = (ruleId: string, body: EditRuleInput) =>
  fetchJson<RiskRule>(`${RULES}/${encodeURIComponent(ruleId)}`, { method: 'PATCH', body });

export const deleteRule = (ruleId: string, version: number) =>
  fetchJson<RiskRule>(`${RULES}/${encodeURIComponent(ruleId)}`, { method: 'DELETE', body: { version } });

export const postDryRun = (definition: RuleDefinition) =>
  fetchJson<DryRun>(`${RULES}/dry-run`, { method: 'POST', body: { definition } });

export const getHits = (filter: HitFilter, cursor: string | null, signal?: AbortSignal) => {
  const query = new URLSearchParams({ ...filter, cursor: cursor ?? '' });
  return fetchJson<HitPage>(`${HITS}?${query}`, { signal, cache: 'no-store' });
};

export const postRelease = (hitId: string) =>
  fetchJson<RiskHitView>(`${HITS}/${hitId}/release`, { method: 'POST', body: {} });
