import { useTranslations } from 'next-intl';
import { SelectField } from '@/components/ui/field';
import {
  ADMISSIONS,
  CHALLENGE_ALTERNATIVES,
  DRAW_WEIGHTS,
  ON_STOCK_OUTAGE,
  SALE_ADMISSIONS,
  SALE_STRATEGIES,
  STRATEGIES,
} from '@/lib/contract/words/sale';
import { ChoiceField } from '../kit/choice-field';
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

/** Asks who may buy, and what keeps everybody else out. */
export function StepWho({ field, values, limits, limitProblems, onLimits }: StepWhoProps) {
  const t = useTranslations('Admin.form');
  const { hasLine, isDrawn } = ADMISSIONS[values.admission];
  const hasLimitProblem = Object.keys(limitProblems).length > 0;
  return (
    <>
      <ChoiceField
        {...field('admission')}
        label={t('admission')}
        choices={SALE_ADMISSIONS}
        nameOf={(choice) => t(`admissions.${choice}.name`)}
        hintOf={(choice) => t(`admissions.${choice}.hint`)}
      />
      {isDrawn ? (
        <ChoiceField
          {...field('drawWeights')}
          label={t('drawWeights')}
          choices={DRAW_WEIGHTS}
          nameOf={(choice) => t(`weights.${choice}.name`)}
          hintOf={(choice) => t(`weights.${choice}.hint`)}
        />
      ) : (
        <SelectField label={t('waitlist')} {...field('waitlist')}>
          <option value="no">{t('waitlists.no')}</option>
          <option value="yes">{t('waitlists.yes')}</option>
        </SelectField>
      )}
      {hasLine ? (
        <SelectField label={t('onePlacePerDevice')} {...field('onePlacePerDevice')}>
          <option value="no">{t('placesPerDevice.no')}</option>
          <option value="yes">{t('placesPerDevice.yes')}</option>
        </SelectField>
      ) : null}
      <div className="grid gap-5 sm:grid-cols-3">
        <NumberFields step="who" field={field} />
        <SelectField label={t('requireVerifiedEmail')} {...field('requireVerifiedEmail')}>
          <option value="no">{t('verified.no')}</option>
          <option value="yes">{t('verified.yes')}</option>
        </SelectField>
      </div>
      <ChoiceField
        {...field('challenge')}
        label={t('challenge')}
        choices={CHALLENGES}
        nameOf={(choice) => t(`challenges.${choice}.name`)}
        hintOf={(choice) => t(`challenges.${choice}.hint`)}
      />
      {isPuzzle(values.challenge) ? (
        <ChoiceField
          {...field('challengeAlternative')}
          label={t('challengeAlternative')}
          choices={CHALLENGE_ALTERNATIVES}
          nameOf={(choice) => t(`alternatives.${choice}.name`)}
          hintOf={(choice) => t(`alternatives.${choice}.hint`)}
        />
      ) : null}
      <ChoiceField
        {...field('strategy')}
        label={t('strategy')}
        choices={SALE_STRATEGIES}
        nameOf={(choice) => t(`strategies.${choice}.name`)}
        hintOf={(choice) => t(`strategies.${choice}.hint`)}
      />
      {STRATEGIES[values.strategy].canFallBack ? (
        <ChoiceField
          {...field('onStockOutage')}
          label={t('onStockOutage')}
          choices={ON_STOCK_OUTAGE}
          nameOf={(choice) => t(`outages.${choice}.name`)}
          hintOf={(choice) => t(`outages.${choice}.hint`)}
        />
      ) : null}
      <details className="rounded-xl border border-line px-4 open:pb-4" open={hasLimitProblem || undefined}>
        <summary className="flex min-h-11 cursor-pointer items-center font-medium">{t('limits')}</summary>
        <div className="grid gap-5">
          <LimitFields values={limits} problems={limitProblems} onChange={onLimits} />
        </div>
      </details>
    </>
  );
}
