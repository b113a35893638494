'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { isolated } from '@/lib/human-text';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { DryRunResult } from './dry-run-result';
import { RuleConflict } from './rule-conflict';
import { RuleFields } from './rule-fields';
import {
  NEW_RULE,
  type RuleProblems,
  type RuleValues,
  serverProblems,
  toDefinition,
  toRule,
  toRuleValues,
} from './rule-values';
import { useRuleWords } from './use-rule-words';
import { useSaveRule } from './use-save-rule';

interface RuleFormProps {
  /** The rule when the form was opened; null: a new rule. */
  rule: RiskRule | null;
  refresh: () => Promise<readonly RiskRule[]>;
  onSaved: (rule: RiskRule) => void;
  onClose: () => void;
}

/** Makes or changes a rule. Before the user saves it, the form says what it does and whom it would have hit. */
export function RuleForm({ rule, refresh, onSaved, onClose }: RuleFormProps) {
  const t = useTranslations('AdminRisk');
  const { sentence } = useRuleWords();
  const heading = useRef<HTMLHeadingElement>(null);
  const [values, setValues] = useState<RuleValues>(() => (rule ? toRuleValues(rule) : NEW_RULE));
  const [problems, setProblems] = useState<RuleProblems>({});
  const read = toRule(values);
  const definition = toDefinition(values);
  const trial = useAction('POST /api/admin/risk/rules/dry-run');
  const { action, theirs, save, keepMine, takeTheirs } = useSaveRule(rule, {
    refresh,
    onDone: onSaved,
    onRefused: (fields) => setProblems(serverProblems(fields)),
  });
  useEffect(() => heading.current?.focus(), []);

  const change = (part: Partial<RuleValues>) => {
    setValues((before) => ({ ...before, ...part }));
    setProblems({});
  };
  const showProblems = () => setProblems(read.ok ? {} : read.problems);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (read.ok) save(read.rule);
    else showProblems();
  };
  const isTried =
    definition !== null && JSON.stringify(trial.variables?.body.definition) === JSON.stringify(definition);
  return (
    <Card className="p-5">
      <form method="post" onSubmit={onSubmit} noValidate className="grid gap-5">
        <h3 ref={heading} tabIndex={-1} className="font-semibold text-lg">
          {rule ? t('editHeading', { name: isolated(rule.name) }) : t('newRule')}
        </h3>
        <RuleFields values={values} problems={problems} onChange={change} />
        <p aria-live="polite" className="rounded-xl bg-sunken px-4 py-3">
          {definition ? sentence(definition) : t('incomplete')}
        </p>
        {isTried && trial.data ? <DryRunResult definition={definition} result={trial.data} /> : null}
        <Problem error={isTried ? trial.error : null} />
        {theirs && read.ok ? (
          <RuleConflict
            mine={read.rule}
            theirs={theirs}
            onKeepMine={() => keepMine(read.rule, theirs.version)}
            onTakeTheirs={() => {
              setValues(toRuleValues(theirs));
              takeTheirs(theirs);
            }}
          />
        ) : null}
        <Problem error={theirs ? null : action.error} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" tone="primary" isBusy={action.isPending}>
            {t('save')}
          </Button>
          <ActionButton
            action={trial}
            onPress={() => (definition ? trial.mutate({ body: { definition } }) : showProblems())}
          >
            {trial.isPending ? t('trying') : t('try')}
          </ActionButton>
          <Button tone="plain" onClick={onClose}>
            {t('close')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
