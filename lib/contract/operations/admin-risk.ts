import { area } from '../operation';
import { page, pageOf } from '../shapes/common';
import {
  dryRun,
  hitFilter,
  listedHit,
  newRule,
  riskHit,
  riskRule,
  ruleDeletion,
  ruleEdit,
  ruleTrial,
} from '../shapes/risk';

export const adminRisk = area(
  'Admin: risk rules',
  'Rules that find abuse, and what they found; in force in every process within a second.',
);
const { operation } = adminRisk;

const SAYS_OF_RULES =
  '`accounts` is counted for addresses and devices only; `at_least` 0 would hit everybody and is refused.';

export const listRules = operation('GET /api/admin/risk/rules', {
  who: 'seeShop',
  says: 'All rules in the order in which they act; there are 200 at most.',
  answers: { 200: pageOf('rules', riskRule) },
});

export const createRule = operation('POST /api/admin/risk/rules', {
  who: 'operator',
  says: `A new rule, on a dry run unless told otherwise. ${SAYS_OF_RULES}`,
  body: newRule,
  answers: { 201: riskRule },
  errors: ['CREATED_OTHERWISE'],
});

export const editRule = operation('PATCH /api/admin/risk/rules/{ruleId}', {
  who: 'operator',
  says: `Changes what is given (at least something), based on the version last seen. ${SAYS_OF_RULES}`,
  body: ruleEdit,
  answers: { 200: riskRule },
  errors: ['RULE_NOT_FOUND', 'VERSION_CONFLICT'],
});

export const deleteRule = operation('DELETE /api/admin/risk/rules/{ruleId}', {
  who: 'operator',
  says: 'Takes a rule away; its hits stay on record.',
  body: ruleDeletion,
  answers: { 200: riskRule },
  errors: ['RULE_NOT_FOUND', 'VERSION_CONFLICT'],
});

export const dryRunRule = operation('POST /api/admin/risk/rules/dry-run', {
  who: 'operator',
  says: 'Whom a rule would have hit within the last 24 hours; nothing is saved.',
  body: ruleTrial,
  answers: { 200: dryRun },
});

export const listHits = operation('GET /api/admin/risk/hits', {
  who: 'seeShop',
  says: 'What the rules found, newest first.',
  query: page.extend(hitFilter.shape),
  side: { feature: 'search', fields: ['value'] },
  answers: { 200: pageOf('hits', listedHit) },
});

export const releaseHit = operation('POST /api/admin/risk/hits/{hitId}/release', {
  who: 'operator',
  says: 'Takes back what a hit led to; again changes nothing.',
  answers: { 200: riskHit },
  errors: ['HIT_NOT_FOUND'],
});
