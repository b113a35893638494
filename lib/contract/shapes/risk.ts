import { z } from 'zod';
import { RISK_METRICS, RISK_SUBJECTS, type RiskMetric, RULE_STATES } from '../words/risk';
import { count, requestId, time } from './common';

const DAY_SEC = 86_400;
const forSec = z
  .number()
  .int()
  .min(1)
  .max(365 * DAY_SEC);

const action = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('block'), forSec }),
  /** Allows this many purchase requests a minute to each account that the subject stands for. */
  z.object({ kind: z.literal('limit'), forSec, perMinute: z.number().int().min(1).max(10_000) }),
  /** Asks for a challenge before the next entry, whatever the sale's setting. */
  z.object({ kind: z.literal('challenge'), forSec }),
  /** Only recorded; nothing else happens. */
  z.object({ kind: z.literal('flag') }),
]);
export type RuleAction = z.output<typeof action>;

/** A rule: if one subject causes more than this many of these events within that time, the action follows. */
export const ruleDefinition = z
  .object({
    metric: z.enum(Object.keys(RISK_METRICS) as [RiskMetric, ...RiskMetric[]]),
    subject: z.enum(RISK_SUBJECTS),
    windowSec: z.number().int().min(1).max(DAY_SEC),
    comparison: z.enum(['above', 'at_least']),
    threshold: z.number().int().min(0).max(1_000_000),
    action,
  })
  .superRefine(({ metric, subject, comparison, threshold }, context) => {
    const { subjects } = RISK_METRICS[metric];
    if (!(subjects as readonly string[]).includes(subject))
      context.addIssue({
        code: 'custom',
        path: ['subject'],
        message: `must be one of ${subjects.join(', ')}`,
      });
    if (comparison === 'at_least' && threshold === 0)
      context.addIssue({ code: 'custom', path: ['threshold'], message: 'would hit everybody' });
  });
export type RuleDefinition = z.output<typeof ruleDefinition>;

const name = z.string().trim().min(1).max(200);
const state = z.enum(RULE_STATES);
const priority = z.number().int().min(0).max(1_000);
const version = z.number().int().min(1);

export const newRule = z.object({
  name,
  definition: ruleDefinition,
  state: state.default('dry_run'),
  priority: priority.default(100),
  requestId,
});
export type CreateRuleInput = z.output<typeof newRule>;

export const ruleEdit = z
  .object({
    version,
    name: name.optional(),
    definition: ruleDefinition.optional(),
    state: state.optional(),
    priority: priority.optional(),
  })
  .refine(({ version: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    message: 'there is nothing to change',
  });
export type EditRuleInput = z.output<typeof ruleEdit>;

export const ruleDeletion = z.object({ version });
export const ruleTrial = z.object({ definition: ruleDefinition });

export const riskRule = z
  .object({
    ruleId: z.string(),
    name: z.string(),
    definition: ruleDefinition,
    state,
    priority: z.int().describe('Lower ones first.'),
    version: z.int(),
    changedBy: z.string(),
    updatedAt: time,
  })
  .meta({ id: 'RiskRule' });
export type RiskRule = z.output<typeof riskRule>;

export const riskHit = z
  .object({
    hitId: z.string(),
    ruleId: z.string(),
    ruleName: z.string(),
    ruleVersion: z.int(),
    kind: z.enum(RISK_SUBJECTS),
    value: z.string(),
    counters: z.object({ count, threshold: z.int(), windowSec: z.int() }),
    action,
    isDryRun: z.boolean(),
    saleId: z.string().nullable(),
    createdAt: time,
    expiresAt: time.nullable().describe('Until when its action lasts; null: there is nothing that lasts.'),
    releasedAt: time.nullable(),
    releasedBy: z.string().nullable(),
  })
  .meta({ id: 'RiskHit' });

/** A hit as the admin area sees it. */
export type RiskHitView = z.output<typeof riskHit>;

export const listedHit = riskHit
  .extend({
    email: z.string().nullable().describe('Of the account that was hit, if it was one and is there still.'),
  })
  .meta({ id: 'ListedRiskHit' });
export type ListedHit = z.output<typeof listedHit>;

const text = z.string().min(1).max(200).optional();
/** Which hits to list; fields left out don't filter. */
export const hitFilter = z.object({
  ruleId: text,
  saleId: text,
  value: text,
  kind: z.enum(RISK_SUBJECTS).optional(),
  state: z.enum(['live', 'all']).default('all'),
});
export type HitFilter = z.input<typeof hitFilter>;

export const dryRun = z.object({
  isCounted: z
    .boolean()
    .describe(
      'Whether the last 24 hours were counted so: only what a rule that is enabled or on a dry run looks at, in its window, is. If not, save it as a dry run and ask again later.',
    ),
  subjects: count.describe('How many it would have hit, of the 1,000 an hour with the highest counts.'),
  top: z.array(z.object({ value: z.string(), count, hour: time })).describe('The highest counts.'),
});
export type DryRun = z.output<typeof dryRun>;
