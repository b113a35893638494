import { LIMIT_SCOPES, type LimitProblems } from './limit-values';
import { numbersOfStep } from './number-settings';
import type { FormProblems, SaleFormValues } from './sale-form-values';

/** The form's steps, each with the fields it asks for; the last one only shows. */
const FIELDS = {
  what: ['productId', 'productName', 'productSlug', 'description', 'picture', 'title'],
  price: ['price', 'listPrice', 'currency', 'totalStock', ...numbersOfStep('price')],
  when: [
    'startsAt',
    'endsAt',
    'entryMinutes',
    'reservationOpensAt',
    'reservationClosesAt',
    ...numbersOfStep('when'),
  ],
  who: [
    ...numbersOfStep('who'),
    'verifiedEmail',
    'challenge',
    'challengeAlternative',
    'strategy',
    'onStockOutage',
  ],
  check: [],
} as const satisfies Record<string, readonly (keyof SaleFormValues)[]>;

export type FormStep = keyof typeof FIELDS;
export const STEPS = Object.keys(FIELDS) as FormStep[];

/** The first field of a step that something is wrong with, by its name in the form; null if nothing is. */
export function wrongFieldOf(step: FormStep, problems: FormProblems, limits: LimitProblems): string | null {
  const field = FIELDS[step].find((name) => problems[name]);
  if (field) return field;
  if (step !== 'who') return null;
  const names = LIMIT_SCOPES.flatMap((scope) => [`${scope}.limit`, `${scope}.windowSec`] as const);
  return names.find((name) => limits[name]) ?? null;
}

/** The first step with something wrong; null if there is none. */
export const wrongStep = (problems: FormProblems, limits: LimitProblems): FormStep | null =>
  STEPS.find((step) => wrongFieldOf(step, problems, limits) !== null) ?? null;
