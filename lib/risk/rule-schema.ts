import '@/lib/zod-without-eval';
import { z } from 'zod';
import { RISK_METRICS, RISK_SUBJECTS, type RiskMetric, RULE_STATES } from './types';

const DAY_SEC = 86_400;
const forSec = z
  .number()
  .int()
  .min(1)
  .max(365 * DAY_SEC);

const actionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('block'), forSec }),
  /** So many purchase requests a minute for each account that the subject stands for. */
  z.object({ kind: z.literal('limit'), forSec, perMinute: z.number().int().min(1).max(10_000) }),
  /** A challenge before the next entry, whatever the sale asks for. */
  z.object({ kind: z.literal('challenge'), forSec }),
  /** Only recorded. */
  z.object({ kind: z.literal('flag') }),
]);

export type RuleAction = z.output<typeof actionSchema>;

/** What a rule says: more than so many of these within that time, by one subject, and what is done then. */
export const definitionSchema = z
  .object({
    metric: z.enum(Object.keys(RISK_METRICS) as [RiskMetric, ...RiskMetric[]]),
    subject: z.enum(RISK_SUBJECTS),
    windowSec: z.number().int().min(1).max(DAY_SEC),
    comparison: z.enum(['above', 'at_least']),
    threshold: z.number().int().min(0).max(1_000_000),
    action: actionSchema,
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

export type RuleDefinition = z.output<typeof definitionSchema>;

const name = z.string().trim().min(1).max(200);
const state = z.enum(RULE_STATES);
const priority = z.number().int().min(0).max(1_000);

export const createRuleSchema = z.object({
  name,
  definition: definitionSchema,
  state: state.default('dry_run'),
  priority: priority.default(100),
});

export const editRuleSchema = z
  .object({
    version: z.number().int().min(1),
    name: name.optional(),
    definition: definitionSchema.optional(),
    state: state.optional(),
    priority: priority.optional(),
  })
  .refine(({ version: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    message: 'there is nothing to change',
  });

export const deleteRuleSchema = z.object({ version: z.number().int().min(1) });
export const dryRunSchema = z.object({ definition: definitionSchema });

export type CreateRuleInput = z.output<typeof createRuleSchema>;
export type EditRuleInput = z.output<typeof editRuleSchema>;
