import { fieldsOfStep } from './held-fields';
import { LIMIT_SCOPES, type LimitProblems } from './limit-values';
import { numbersOfStep } from './number-settings';
import type { FormProblems, SaleFormValues } from './sale-form-values';

/** The form's steps with the fields that each asks for. The last step asks for none; it only shows. */
const FIELDS = {
  what: [
    'productId',
    'shopId',
    'productName',
    'productSlug',
    'description',
    'picture',
    'delivery',
    'pickupPlace',
    'campaignId',
    ...fieldsOfStep('what'),
  ],
  price: [
    'price',
    'listPrice',
    'totalStock',
    'variants',
    ...fieldsOfStep('price'),
    ...numbersOfStep('price'),
  ],
  when: [
    'startsAt',
    'endsAt',
    'entryMinutes',
    'reservationOpensAt',
    'reservationClosesAt',
    ...numbersOfStep('when'),
  ],
  who: [...fieldsOfStep('who'), ...numbersOfStep('who')],
  check: [],
} as const satisfies Record<string, readonly (keyof SaleFormValues)[]>;

export type FormStep = keyof typeof FIELDS;
export const STEPS = Object.keys(FIELDS) as FormStep[];

/** Returns the name of the first wrong field of a step, as the form calls it; null if none is wrong. */
export function wrongFieldOf(step: FormStep, problems: FormProblems, limits: LimitProblems): string | null {
  const field = FIELDS[step].find((name) => problems[name]);
  if (field) return field;
  if (step === 'price') return Object.keys(problems).find((name) => name.startsWith('variants.')) ?? null;
  if (step !== 'who') return null;
  const names = LIMIT_SCOPES.flatMap((scope) => [`${scope}.limit`, `${scope}.windowSec`] as const);
  return names.find((name) => limits[name]) ?? null;
}

/** Returns the first step with a wrong field; null if there is none. */
export const wrongStep = (problems: FormProblems, limits: LimitProblems): FormStep | null =>
  STEPS.find((step) => wrongFieldOf(step, problems, limits) !== null) ?? null;
