import { z } from 'zod';
import type { DryRun } from '@/lib/risk/dry-run';
import { hitFilterSchema, type ListedHit, type RiskHitView } from '@/lib/risk/list-hits';
import {
  createRuleSchema,
  definitionSchema,
  deleteRuleSchema,
  dryRunSchema,
  editRuleSchema,
} from '@/lib/risk/rule-schema';
import { RISK_SUBJECTS, type RiskRule, RULE_STATES } from '@/lib/risk/types';
import { type Area, operation } from '../operation';
import { count, page, pageOf, time } from '../shapes/common';

const rule = z
  .object({
    ...{ ruleId: z.string(), name: z.string(), definition: definitionSchema },
    ...{ state: z.enum(RULE_STATES), priority: z.int(), version: z.int() },
    ...{ changedBy: z.string(), updatedAt: time },
  })
  .meta({ id: 'RiskRule' }) satisfies z.ZodType<RiskRule>;

const hit = z
  .object({
    ...{ hitId: z.string(), ruleId: z.string(), ruleName: z.string(), ruleVersion: z.int() },
    ...{ kind: z.enum(RISK_SUBJECTS), value: z.string() },
    counters: z.object({ count, threshold: z.int(), windowSec: z.int() }),
    action: definitionSchema.shape.action,
    ...{ isDryRun: z.boolean(), saleId: z.string().nullable(), createdAt: time },
    ...{ expiresAt: time.nullable(), releasedAt: time.nullable(), releasedBy: z.string().nullable() },
  })
  .meta({ id: 'RiskHit' }) satisfies z.ZodType<RiskHitView>;

const listedHit = hit
  .extend({ email: z.string().nullable().describe('Of the account that was hit, if it was one.') })
  .meta({ id: 'ListedRiskHit' }) satisfies z.ZodType<ListedHit>;

const dryRun = z.object({
  isCounted: z.boolean().describe('Whether the last 24 hours were counted so; if not, save it as a dry run.'),
  subjects: count,
  top: z.array(z.object({ value: z.string(), count, hour: time })),
}) satisfies z.ZodType<DryRun>;

const SAYS_OF_RULES =
  '`accounts` is counted for addresses and devices only; `at_least` 0 would hit everybody and is refused.';

export const listRules = operation({
  id: 'listRules',
  method: 'GET',
  path: '/api/admin/risk/rules',
  who: 'seeShop',
  says: 'All rules in the order in which they act; there are 200 at most.',
  answers: { 200: pageOf('rules', rule) },
});

export const createRule = operation({
  id: 'createRule',
  method: 'POST',
  path: '/api/admin/risk/rules',
  who: 'operator',
  says: `A new rule, on a dry run unless told otherwise. ${SAYS_OF_RULES}`,
  body: createRuleSchema,
  answers: { 201: rule },
});

export const editRule = operation({
  id: 'editRule',
  method: 'PATCH',
  path: '/api/admin/risk/rules/{ruleId}',
  who: 'operator',
  says: `Changes what is given (at least something), based on the version last seen. ${SAYS_OF_RULES}`,
  body: editRuleSchema,
  answers: { 200: rule },
  errors: ['RULE_NOT_FOUND', 'VERSION_CONFLICT'],
});

export const deleteRule = operation({
  id: 'deleteRule',
  method: 'DELETE',
  path: '/api/admin/risk/rules/{ruleId}',
  who: 'operator',
  says: 'Takes a rule away; its hits stay on record.',
  body: deleteRuleSchema,
  answers: { 200: rule },
  errors: ['RULE_NOT_FOUND', 'VERSION_CONFLICT'],
});

export const dryRunRule = operation({
  id: 'dryRunRule',
  method: 'POST',
  path: '/api/admin/risk/rules/dry-run',
  who: 'operator',
  says: 'Whom a rule would have hit within the last 24 hours; nothing is saved.',
  body: dryRunSchema,
  answers: { 200: dryRun },
});

export const listHits = operation({
  id: 'listHits',
  method: 'GET',
  path: '/api/admin/risk/hits',
  who: 'seeShop',
  says: 'What the rules found, newest first.',
  query: page.extend(hitFilterSchema.shape),
  answers: { 200: pageOf('hits', listedHit) },
});

export const releaseHit = operation({
  id: 'releaseHit',
  method: 'POST',
  path: '/api/admin/risk/hits/{hitId}/release',
  who: 'operator',
  says: 'Takes back what a hit led to; again changes nothing.',
  answers: { 200: hit },
  errors: ['HIT_NOT_FOUND'],
});

export const deskRisk: Area = {
  name: 'Desk: risk rules',
  says: 'Rules that find abuse, and what they found; in force in every process within a second.',
  operations: [listRules, createRule, editRule, deleteRule, dryRunRule, listHits, releaseHit],
};
