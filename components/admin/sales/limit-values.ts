import type { SaleLimits } from '@/lib/contract/shapes/limit';
import { type LimitAlgorithm, MAX_POLICY } from '@/lib/contract/words/limit';

/** The subjects of limits, in the order of the form. */
export const LIMIT_SCOPES = ['user', 'ip', 'device', 'interface'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** One limit as the user typed it. Without an algorithm there is no limit. */
type LimitValue = { algorithm: LimitAlgorithm | ''; limit: string; windowSec: string };
export type LimitValues = Record<LimitScope, LimitValue>;
export type LimitProblems = Partial<Record<`${LimitScope}.${'limit' | 'windowSec'}`, { max: number }>>;

const NONE: LimitValue = { algorithm: '', limit: '5', windowSec: '60' };

/** Returns what the fields show for a sale's limits. */
export function toLimitValues(limits: SaleLimits | null): LimitValues {
  const value = (scope: LimitScope): LimitValue => {
    const policy = limits?.[scope];
    return policy
      ? { algorithm: policy.algorithm, limit: String(policy.limit), windowSec: String(policy.windowSec) }
      : NONE;
  };
  return { user: value('user'), ip: value('ip'), device: value('device'), interface: value('interface') };
}

/** Finds the wrong fields before anything is sent. A limit that is off is never wrong. */
export function checkLimits(values: LimitValues): LimitProblems {
  const problems: LimitProblems = {};
  for (const scope of LIMIT_SCOPES) {
    if (values[scope].algorithm === '') continue;
    for (const field of ['limit', 'windowSec'] as const) {
      const text = values[scope][field].trim();
      const isWhole = /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_POLICY[field];
      if (!isWhole) problems[`${scope}.${field}`] = { max: MAX_POLICY[field] };
    }
  }
  return problems;
}

/** Makes the limits to send, from fields that passed `checkLimits`; null: no limits. */
export function toLimits(values: LimitValues): SaleLimits | null {
  const limits: SaleLimits = {};
  for (const scope of LIMIT_SCOPES) {
    const { algorithm, limit, windowSec } = values[scope];
    if (algorithm !== '') limits[scope] = { algorithm, limit: Number(limit), windowSec: Number(windowSec) };
  }
  return Object.keys(limits).length > 0 ? limits : null;
}
