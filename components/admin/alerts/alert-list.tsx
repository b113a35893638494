'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { ALERT_RULE_IDS } from '@/lib/contract/words/alert';
import { ChoiceField } from '../kit/choice-field';
import { Paged } from '../kit/paged';
import { AlertRow } from './alert-row';
import { ALERT_FILTER_STATES, useAlertFilter } from './use-alert-filter';
import { useAlertWords } from './use-alert-words';

const EVERY_MS = 5_000;

/** Lists the alerts that are open, or the past ones, page by page. */
export function AlertList({ mayAcknowledge, onChange }: { mayAcknowledge: boolean; onChange: () => void }) {
  const t = useTranslations('AdminAlerts');
  const { ruleName } = useAlertWords();
  const [filter, setFilter] = useAlertFilter();
  const { query, items: alerts } = useList('GET /api/admin/alerts', {
    query: filter,
    // An alert that has ended doesn't change any more.
    refetchInterval: filter.state === 'resolved' ? false : EVERY_MS,
  });
  return (
    <section aria-label={t('list')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('list')}</h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <ChoiceField
          label={t('show')}
          value={filter.state}
          choices={ALERT_FILTER_STATES}
          nameOf={(state) => t(`filters.${state}`)}
          onChoose={(state) => setFilter({ state })}
        />
        <ChoiceField
          label={t('rule')}
          value={filter.rule}
          choices={['', ...ALERT_RULE_IDS]}
          nameOf={(rule) => (rule ? ruleName(rule) : t('everyRule'))}
          onChoose={(rule) => setFilter({ rule })}
        />
      </div>
      <Paged
        query={query}
        isEmpty={alerts.length === 0}
        empty={
          <Notice tone={filter.state === 'active' ? 'success' : 'info'}>{t(`empty.${filter.state}`)}</Notice>
        }
      >
        <Card>
          <ul>
            {alerts.map((alert) => (
              <AlertRow key={alert.id} alert={alert} mayAcknowledge={mayAcknowledge} onChange={onChange} />
            ))}
          </ul>
        </Card>
      </Paged>
    </section>
  );
}
