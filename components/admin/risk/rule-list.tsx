'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { isolated } from '@/lib/human-text';
import { RuleForm } from './rule-form';
import { RuleRow } from './rule-row';

interface RuleListProps {
  rules: readonly RiskRule[];
  /** Loads the rules again. */
  refresh: () => Promise<readonly RiskRule[]>;
}

/** Lists the rules in the order in which they act. Users with the permission can change them. */
export function RuleList({ rules, refresh }: RuleListProps) {
  const t = useTranslations('AdminRisk');
  const mayChange = useMay('operator');
  /** The rule in the form, as it was when the form was opened. If `rule` is null, the form makes a new one. */
  const [editing, setEditing] = useState<{ rule: RiskRule | null } | undefined>();
  const [saved, setSaved] = useState('');
  const onSaved = (rule: RiskRule) => {
    setEditing(undefined);
    setSaved(rule.name);
    void refresh();
  };
  return (
    <section aria-label={t('rules')} className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-xl">{t('rules')}</h2>
        {mayChange && !editing ? (
          <Button tone="primary" onClick={() => setEditing({ rule: null })}>
            {t('newRule')}
          </Button>
        ) : null}
      </div>
      <p role="status" className="text-success empty:hidden">
        {saved && !editing ? t('saved', { name: isolated(saved) }) : ''}
      </p>
      {editing ? (
        <RuleForm
          key={editing.rule?.ruleId ?? 'new'}
          rule={editing.rule}
          refresh={refresh}
          onSaved={onSaved}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {rules.length === 0 ? <p className="text-muted">{t('noRules')}</p> : null}
      <Card>
        <ul className="divide-y divide-line">
          {rules.map((rule) => (
            <li key={rule.ruleId} className="p-5">
              <RuleRow
                rule={rule}
                mayChange={mayChange}
                onEdit={() => setEditing({ rule })}
                refresh={() => void refresh()}
              />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}
