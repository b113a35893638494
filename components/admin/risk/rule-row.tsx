'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { RISK_METRICS, RULE_STATES, type RuleState } from '@/lib/contract/words/risk';
import { isolated } from '@/lib/human-text';
import { ActionButton } from '../kit/action-button';
import { together, useAction, useActionOf } from '../kit/use-action';
import { useRuleWords } from './use-rule-words';

const TONES: Record<RuleState, BadgeTone> = { enabled: 'success', dry_run: 'warning', disabled: 'neutral' };

interface RuleRowProps {
  rule: RiskRule;
  mayChange: boolean;
  onEdit: () => void;
  refresh: () => void;
}

/** Shows one rule as a sentence, with its switch. */
export function RuleRow({ rule, mayChange, onEdit, refresh }: RuleRowProps) {
  const t = useTranslations('AdminRisk');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const { sentence } = useRuleWords();
  const { ruleId, name, definition, state, priority, version, updatedAt } = rule;
  const turnTo = (to: RuleState, over: number) =>
    request('PATCH /api/admin/risk/rules/{ruleId}', {
      params: { ruleId },
      body: { version: over, state: to },
    });
  const turn = useActionOf(({ to }: Record<'from' | 'to', RuleState>) => turnTo(to, version), {
    says: (turned, { from, to }) => ({
      text: done(`rule.${to}`),
      undo: { request: () => turnTo(from, turned.version), text: done(`rule.${from}`) },
    }),
    refresh,
  });
  const remove = useAction('DELETE /api/admin/risk/rules/{ruleId}', {
    says: () => ({ text: done('rule.deleted') }),
    refresh,
  });
  const { isPending: isBusy, error } = together(turn, remove);
  const named = { name: isolated(name) };
  const isKnown = definition.metric in RISK_METRICS;
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words font-semibold">
          <bdi>{name}</bdi> <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
        </h3>
        <p>{isKnown ? sentence(definition) : definition.metric}</p>
        <p className="text-muted text-sm tabular-nums">
          {t('about', { priority, version, time: localDate(updatedAt, 'short') })}
        </p>
      </div>
      {mayChange ? (
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <StateSwitch
            rule={rule}
            next={turn.isPending ? turn.variables.to : null}
            disabled={isBusy}
            onTurn={(to) => turn.mutate({ from: state, to })}
          />
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy} onClick={onEdit} aria-label={t('editNamed', named)}>
              {t('edit')}
            </Button>
            <ActionButton
              action={remove}
              disabled={turn.isPending}
              aria-label={t('deleteNamed', named)}
              ask={{
                title: t('deleteTitle', named),
                text: t('deleteText'),
                confirmLabel: t('deleteConfirm'),
                keepLabel: t('leave'),
                isDangerous: true,
              }}
              onPress={() => remove.mutate({ params: { ruleId }, body: { version } })}
            >
              {t('delete')}
            </ActionButton>
          </div>
        </div>
      ) : null}
      <Problem isSmall error={error} />
    </div>
  );
}

interface StateSwitchProps {
  rule: RiskRule;
  /** The state that the rule is being turned to. */
  next: RuleState | null;
  disabled: boolean;
  onTurn: (to: RuleState) => void;
}

/** Turns a rule on, to a dry run, or off. Asks only before the state that acts on people. */
function StateSwitch({ rule: { name, definition, state }, next, disabled, onTurn }: StateSwitchProps) {
  const t = useTranslations('AdminRisk');
  const { sentence } = useRuleWords();
  const named = { name: isolated(name) };
  const question = () => ({
    title: t('enableTitle', named),
    text: t('enableText', { sentence: sentence(definition) }),
    confirmLabel: t('enable'),
    keepLabel: t('leave'),
  });
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t('switch', named)}</legend>
      {RULE_STATES.map((to) => (
        <ActionButton
          key={to}
          action={{ isPending: next === to }}
          aria-pressed={state === to}
          disabled={disabled}
          className="aria-pressed:border-text aria-pressed:bg-sunken"
          ask={to === 'enabled' && state !== to ? question() : undefined}
          onPress={() => to !== state && onTurn(to)}
        >
          {t(`states.${to}`)}
        </ActionButton>
      ))}
    </fieldset>
  );
}
