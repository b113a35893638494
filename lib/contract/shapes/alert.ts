import { z } from 'zod';
import { ALERT_RULE_IDS, ALERT_STATES, ALERT_SUBJECTS, ALERT_UNITS } from '../words/alert';
import { MAX_REASON_LENGTH } from '../words/reason';
import { count, pageOf, time } from './common';

const unit = z.enum(ALERT_UNITS);

export const alert = z
  .object({
    id: z.string(),
    rule: z.string().describe('One of the rules, or one that is no more and still has its history.'),
    unit,
    subject: z.string().describe('Which sale, topic, lock …; empty for rules about the whole.'),
    saleId: z.string().nullable(),
    saleTitle: z.string().nullable(),
    state: z.enum(ALERT_STATES),
    value: z.number().describe('The latest.'),
    peak: z.number().describe('The highest.'),
    threshold: z.number(),
    since: time,
    firedAt: time.nullable(),
    resolvedAt: time.nullable(),
    acknowledgedAt: time.nullable(),
    acknowledgedBy: z.string().nullable(),
    acknowledgedByEmail: z.string().nullable(),
    note: z.string().nullable(),
  })
  .meta({ id: 'Alert' });

/** An alert with the names by which its readers know it. */
export type AdminAlert = z.output<typeof alert>;

export const alertPage = pageOf('alerts', alert).extend({
  firing: count.describe('Of all that the reader may see, whatever the filter.'),
  unacknowledged: count.describe('How many of these nobody has acknowledged.'),
});
export type AdminAlertPage = z.output<typeof alertPage>;

export const alertFilter = z.object({
  state: z
    .enum(['active', 'all', ...ALERT_STATES])
    .default('active')
    .describe('`active`: pending and firing.'),
  rule: z.enum(ALERT_RULE_IDS).optional(),
  saleId: z.string().max(64).optional(),
});
export type AlertFilter = z.output<typeof alertFilter>;

export const acknowledgement = z.object({ note: z.string().trim().max(MAX_REASON_LENGTH).optional() });

export const alertRule = z
  .object({
    id: z.enum(ALERT_RULE_IDS),
    unit,
    threshold: z.number().describe('It is breached above this.'),
    defaultThreshold: z.number(),
    forSec: count.describe('How long it has to be breached until somebody is told; 0 = at once.'),
    subject: z.enum(ALERT_SUBJECTS).describe('What an alert is about.'),
    enabled: z.boolean(),
    version: z.int().describe('0: never changed.'),
  })
  .meta({ id: 'AlertRule' });

/** A rule with the values now in force. */
export type AlertRuleView = z.output<typeof alertRule>;

/** Far above any value that a rule counts. */
const MAX_THRESHOLD = 1_000_000_000;

export const alertRuleEdit = z
  .object({
    ruleId: z.enum(ALERT_RULE_IDS),
    version: z.number().int().min(0),
    threshold: z.number().min(0).max(MAX_THRESHOLD).optional(),
    enabled: z.boolean().optional(),
  })
  .refine(({ threshold, enabled }) => threshold !== undefined || enabled !== undefined, {
    message: 'there is nothing to change',
  });
export type EditAlertRule = z.output<typeof alertRuleEdit>;
