import { z } from 'zod';
import { acknowledgeSchema } from '@/lib/alert/acknowledge-alert';
import { editAlertRuleSchema } from '@/lib/alert/edit-rule';
import { alertFilterSchema } from '@/lib/alert/list-alerts';
import type { AlertRuleView } from '@/lib/alert/read-rules';
import { ALERT_RULE_IDS } from '@/lib/alert/rules';
import { ALERT_STATES } from '@/lib/alert/types';
import type { DeskAlert } from '@/lib/desk/alerts/list-desk-alerts';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

const unit = z.enum(['units', 'percent', 'seconds', 'ms', 'count']);

const alert = z
  .object({
    ...{ id: z.string(), rule: z.string(), unit },
    subject: z.string().describe('Which sale, topic, lock …; empty for rules about the whole.'),
    ...{ saleId: z.string().nullable(), saleTitle: z.string().nullable(), state: z.enum(ALERT_STATES) },
    value: z.number().describe('The latest.'),
    peak: z.number().describe('The highest.'),
    threshold: z.number(),
    ...{ since: time, firedAt: time.nullable(), resolvedAt: time.nullable() },
    ...{ acknowledgedAt: time.nullable(), acknowledgedBy: z.string().nullable() },
    ...{ acknowledgedByEmail: z.string().nullable(), note: z.string().nullable() },
  })
  .meta({ id: 'Alert' }) satisfies z.ZodType<DeskAlert>;

const rule = z
  .object({
    ...{ id: z.enum(ALERT_RULE_IDS), unit },
    threshold: z.number().describe('It is breached above this.'),
    defaultThreshold: z.number(),
    forSec: count.describe('How long it has to be breached; 0 = at once.'),
    subject: z.enum(['sale', 'rule', 'topic', 'consumer', 'lock', 'store', 'none']),
    enabled: z.boolean(),
    version: z.int().describe('0: never changed.'),
  })
  .meta({ id: 'AlertRule' }) satisfies z.ZodType<AlertRuleView>;

export const listAlerts = operation({
  id: 'listAlerts',
  method: 'GET',
  path: '/api/admin/alerts',
  who: 'seeDesk',
  says: 'Alerts, newest first; merchants see those about their own sales.',
  query: page.extend(alertFilterSchema.shape),
  answers: {
    200: pageOf('alerts', alert).extend({
      firing: count.describe('Whatever the filter.'),
      unacknowledged: count.describe('How many of these nobody has acknowledged.'),
    }),
  },
});

export const acknowledgeAlert = operation({
  id: 'acknowledgeAlert',
  method: 'POST',
  path: '/api/admin/alerts/{id}/acknowledge',
  who: 'desk',
  says: 'Says that somebody sees to it; the first one counts.',
  body: acknowledgeSchema,
  answers: { 200: alert },
  errors: ['ALERT_NOT_FOUND'],
});

export const listAlertRules = operation({
  id: 'listAlertRules',
  method: 'GET',
  path: '/api/admin/alerts/rules',
  who: 'seeShop',
  says: 'All rules; they are a fixed few.',
  answers: { 200: pageOf('rules', rule) },
});

export const editAlertRule = operation({
  id: 'editAlertRule',
  method: 'PATCH',
  path: '/api/admin/alerts/rules',
  who: 'operator',
  says: 'Another threshold, or on and off (at least one of them), based on the version last seen.',
  body: editAlertRuleSchema,
  answers: { 200: rule },
  errors: ['VERSION_CONFLICT'],
});

export const deskAlerts: Area = {
  name: 'Desk: alerts',
  says: 'What is or was not as it should be; looked at every 15 seconds.',
  operations: [listAlerts, acknowledgeAlert, listAlertRules, editAlertRule],
};
