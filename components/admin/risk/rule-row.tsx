'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { RISK_METRICS, RULE_STATES, type RuleState } from '@/lib/contract/words/risk';
import { useTell } from '../kit/use-tell';
import { useRuleWords } from './use-rule-words';

const TONES: Record<RuleState, BadgeTone> = { enabled: 'success', dry_run: 'warning', disabled: 'neutral' };

interface RuleRowProps {
  rule: RiskRule;
  mayChange: boolean;
  onEdit: () => void;
  refresh: () => void;
}

/** One rule in a sentence, and its switch. */
export function RuleRow({ rule, mayChange, onEdit, refresh }: RuleRowProps) {
  const t = useTranslations('AdminRisk');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const { sentence } = useRuleWords();
  const { ruleId, name, definition, state, priority, version, updatedAt } = rule;
  const tell = useTell(refresh);
  const turnTo = (to: RuleState, over: number) =>
    request('PATCH /api/admin/risk/rules/{ruleId}', {
      params: { ruleId },
      body: { version: over, state: to },
    });
  // Also after a refusal: it may be because somebody else was faster.
  const turn = useMutation({
    mutationFn: ({ to }: Record<'from' | 'to', RuleState>) => turnTo(to, version),
    onSuccess: (turned, { from, to }) =>
      tell(done(`rule.${to}`), {
        request: () => turnTo(from, turned.version),
        text: done(`rule.${from}`),
      }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () =>
      request('DELETE /api/admin/risk/rules/{ruleId}', { params: { ruleId }, body: { version } }),
    onSuccess: () => tell(done('rule.deleted')),
    onSettled: refresh,
  });
  const isBusy = turn.isPending || remove.isPending;
  const problem = turn.error ?? remove.error;
  const isKnown = definition.metric in RISK_METRICS;
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 break-words font-semibold">
          {name} <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
        </h3>
        <p>{isKnown ? sentence(definition) : definition.metric}</p>
        <p className="text-muted text-sm tabular-nums">
          {t('about', { priority, version, time: localDate(updatedAt, 'short') })}
        </p>
      </div>
      {mayChange ? (
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">{t('switch', { name })}</legend>
            {RULE_STATES.map((to) => {
              const button = (
                <Button
                  key={to}
                  aria-pressed={state === to}
                  isBusy={turn.isPending && turn.variables.to === to}
                  disabled={isBusy}
                  className="aria-pressed:border-text aria-pressed:bg-sunken"
                  onClick={
                    to === 'enabled' || to === state ? undefined : () => turn.mutate({ from: state, to })
                  }
                >
                  {t(`states.${to}`)}
                </Button>
              );
              // Only what acts on people is asked twice.
              return to !== 'enabled' || state === 'enabled' ? (
                button
              ) : (
                <ConfirmDialog
                  key={to}
                  trigger={button}
                  title={t('enableTitle', { name })}
                  text={t('enableText', { sentence: sentence(definition) })}
                  confirmLabel={t('enable')}
                  keepLabel={t('leave')}
                  onConfirm={() => turn.mutate({ from: state, to })}
                />
              );
            })}
          </fieldset>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy} onClick={onEdit} aria-label={t('editNamed', { name })}>
              {t('edit')}
            </Button>
            <ConfirmDialog
              trigger={
                <Button
                  isBusy={remove.isPending}
                  disabled={turn.isPending}
                  aria-label={t('deleteNamed', { name })}
                >
                  {t('delete')}
                </Button>
              }
              title={t('deleteTitle', { name })}
              text={t('deleteText')}
              confirmLabel={t('deleteConfirm')}
              keepLabel={t('leave')}
              isDangerous
              onConfirm={() => remove.mutate()}
            />
          </div>
        </div>
      ) : null}
      {problem ? (
        <p role="alert" className="text-danger text-sm">
          {problemText(problem)}
        </p>
      ) : null}
    </div>
  );
}
