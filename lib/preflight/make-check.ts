import type { Check } from '@/lib/contract/shapes/preflight';

export const passed = <Id extends string>(
  id: Id,
  detail: string,
  values: Check['values'] = {},
): Check<Id> => ({ id, ok: true, severity: 'warn', reason: null, detail, values });

export const failed = <Id extends string>(
  severity: Check['severity'],
  id: Id,
  reason: string,
  detail: string,
  values: Check['values'] = {},
): Check<Id> => ({ id, ok: false, severity, reason, detail, values });

/** True if a check failed that stops what it stands before. */
export const isStopping = ({ ok, severity }: Pick<Check, 'ok' | 'severity'>): boolean =>
  !ok && severity === 'stop';
