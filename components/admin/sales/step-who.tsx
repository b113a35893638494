import { useTranslations } from 'next-intl';
import { SelectField } from '@/components/ui/field';
import {
  ADMISSIONS,
  CHALLENGE_ALTERNATIVES,
  type ChallengeAlternative,
  DRAW_WEIGHTS,
  type DrawWeights,
  ON_STOCK_OUTAGE,
  type OnStockOutage,
  SALE_ADMISSIONS,
  SALE_STRATEGIES,
  type SaleAdmission,
  type SaleChallenge,
  type SaleStrategy,
  STRATEGIES,
} from '@/lib/contract/words/sale';
import { ChoiceField } from '../kit/choice-field';
import type { HeldFields } from './held-fields';
import { LimitFields } from './limit-fields';
import type { LimitProblems, LimitValues } from './limit-values';
import { NumberFields } from './number-fields';
import { CHALLENGES, isPuzzle } from './sale-form-values';
import type { StepProps } from './step-props';

interface StepWhoProps extends StepProps {
  limits: LimitValues;
  limitProblems: LimitProblems;
  onLimits: (limits: LimitValues) => void;
}

/** The messages that name and explain a choice. */
type ChoiceWords =
  | `admissions.${SaleAdmission}`
  | `weights.${DrawWeights}`
  | `challenges.${SaleChallenge}`
  | `alternatives.${ChallengeAlternative}`
  | `strategies.${SaleStrategy}`
  | `outages.${OnStockOutage}`;

/** Asks who may buy, and what keeps everybody else out. */
export function StepWho({ field, values, limits, limitProblems, onLimits }: StepWhoProps) {
  const t = useTranslations('Admin.form');
  const { hasLine, isDrawn } = ADMISSIONS[values.admission];
  const hasLimitProblem = Object.keys(limitProblems).length > 0;
  const choice = <C extends string>(
    name: Exclude<keyof HeldFields, 'titles'>,
    choices: readonly C[],
    wordsOf: (choice: C) => ChoiceWords,
  ) => (
    <ChoiceField
      {...field(name)}
      label={t(name)}
      choices={choices}
      nameOf={(choice) => t(`${wordsOf(choice)}.name`)}
      hintOf={(choice) => t(`${wordsOf(choice)}.hint`)}
    />
  );
  const flag = (
    name: 'waitlist' | 'onePlacePerDevice' | 'requireVerifiedEmail',
    words: 'waitlists' | 'placesPerDevice' | 'verified',
  ) => (
    <SelectField label={t(name)} {...field(name)}>
      <option value="no">{t(`${words}.no`)}</option>
      <option value="yes">{t(`${words}.yes`)}</option>
    </SelectField>
  );
  return (
    <>
      {choice('admission', SALE_ADMISSIONS, (admission) => `admissions.${admission}`)}
      {isDrawn
        ? choice('drawWeights', DRAW_WEIGHTS, (weights) => `weights.${weights}`)
        : flag('waitlist', 'waitlists')}
      {hasLine ? flag('onePlacePerDevice', 'placesPerDevice') : null}
      <div className="grid gap-5 sm:grid-cols-3">
        <NumberFields step="who" field={field} />
        {flag('requireVerifiedEmail', 'verified')}
      </div>
      {choice('challenge', CHALLENGES, (challenge) => `challenges.${challenge}`)}
      {isPuzzle(values.challenge)
        ? choice(
            'challengeAlternative',
            CHALLENGE_ALTERNATIVES,
            (alternative) => `alternatives.${alternative}`,
          )
        : null}
      {choice('strategy', SALE_STRATEGIES, (strategy) => `strategies.${strategy}`)}
      {STRATEGIES[values.strategy].canFallBack
        ? choice('onStockOutage', ON_STOCK_OUTAGE, (outage) => `outages.${outage}`)
        : null}
      <details className="rounded-xl border border-line px-4 open:pb-4" open={hasLimitProblem || undefined}>
        <summary className="flex min-h-11 cursor-pointer items-center font-medium">{t('limits')}</summary>
        <div className="grid gap-5">
          <LimitFields values={limits} problems={limitProblems} onChange={onLimits} />
        </div>
      </details>
    </>
  );
}
