import { z } from 'zod';
import { authorize } from '@/lib/account/authorize';
import { ALERT_RULE_IDS } from '@/lib/alert/rules';
import { ALERT_STATES } from '@/lib/alert/types';
import { listDeskAlerts } from '@/lib/desk/alerts/list-desk-alerts';
import { parsePage } from '@/lib/http/cursor';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { validationProblem } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

const filterSchema = z.object({
  state: z.enum(['active', 'all', ...ALERT_STATES]).default('active'),
  rule: z.enum(ALERT_RULE_IDS).optional(),
  saleId: z.string().max(64).optional(),
});

export const GET = route(async (request) => {
  const auth = await authorize(request, 'seeDesk');
  if (!auth.ok) return auth.response;
  const page = parsePage(request.url);
  if (!page.success) return validationProblem(page.error);
  const { searchParams } = new URL(request.url);
  const given = ['state', 'rule', 'saleId'].map((name) => [name, searchParams.get(name) || undefined]);
  const filter = filterSchema.safeParse(Object.fromEntries(given));
  if (!filter.success) return validationProblem(filter.error);
  const alerts = await listDeskAlerts(auth.user, page.data, filter.data);
  return alerts ? json(alerts) : problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
