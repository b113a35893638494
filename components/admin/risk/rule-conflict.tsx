'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { CreateRuleInput, RiskRule } from '@/lib/contract/shapes/risk';
import { useRuleWords } from './use-rule-words';

interface RuleConflictProps {
  mine: CreateRuleInput;
  /** The rule as it is now. */
  theirs: RiskRule;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

const CELL = 'px-3 py-2 text-left align-top';

/** Shows both versions side by side when two people have changed the same rule. The user chooses one. */
export function RuleConflict({ mine, theirs, onKeepMine, onTakeTheirs }: RuleConflictProps) {
  const t = useTranslations('AdminRisk');
  const localDate = useLocalDate();
  const { sentence } = useRuleWords();
  const row = (label: string, read: (rule: CreateRuleInput | RiskRule) => string) => {
    const [ours, others] = [read(mine), read(theirs)];
    return { label, ours, others, isDifferent: ours !== others };
  };
  const rows = [
    row(t('fields.name'), ({ name }) => name),
    row(t('rule'), ({ definition }) => sentence(definition)),
    row(t('fields.state'), ({ state }) => t(`states.${state}`)),
    row(t('fields.priority'), ({ priority }) => String(priority)),
  ];
  return (
    <Notice tone="warning" role="alert">
      <p>{t('conflict', { version: theirs.version, time: localDate(theirs.updatedAt, 'time') })}</p>
      <div className="mt-3 overflow-x-auto rounded-lg bg-panel text-text">
        <table className="w-full min-w-md border-collapse text-sm">
          <thead>
            <tr className="border-line border-b">
              <td className={CELL} />
              <th scope="col" className={CELL}>
                {t('mine')}
              </th>
              <th scope="col" className={CELL}>
                {t('theirs', { version: theirs.version })}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, ours, others, isDifferent }) => (
              <tr
                key={label}
                className={cn('border-line border-b last:border-0', !isDifferent && 'text-muted')}
              >
                <th scope="row" className={cn(CELL, 'font-medium')}>
                  {label}
                  {isDifferent ? <span className="sr-only"> ({t('different')})</span> : null}
                </th>
                <td className={cn(CELL, isDifferent && 'font-semibold')}>{ours}</td>
                <td className={cn(CELL, isDifferent && 'font-semibold')}>{others}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button onClick={onTakeTheirs}>{t('takeTheirs')}</Button>
        <Button tone="danger" onClick={onKeepMine}>
          {t('keepMine')}
        </Button>
      </div>
    </Notice>
  );
}
