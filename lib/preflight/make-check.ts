import type { Check } from '@/lib/contract/shapes/preflight';
import type { CheckId } from '@/lib/contract/words/preflight';

export const passed = (id: CheckId, detail: string, values: Check['values'] = {}): Check => ({
  id,
  ok: true,
  severity: 'warn',
  reason: null,
  detail,
  values,
});

export const failed = (
  severity: Check['severity'],
  id: CheckId,
  reason: string,
  detail: string,
  values: Check['values'] = {},
): Check => ({ id, ok: false, severity, reason, detail, values });
