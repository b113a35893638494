'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { useMay } from '@/components/session/use-may';
import { SelectField, TextField } from '@/components/ui/field';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { RISK_SUBJECTS } from '@/lib/contract/words/risk';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { HitRow } from './hit-row';
import { useHitFilter } from './use-hit-filter';

/** Lists whom the rules have hit, newest first, page by page. */
export function HitTable({ rules }: { rules: readonly RiskRule[] }) {
  const t = useTranslations('AdminRisk');
  const mayRelease = useMay('operator');
  const [filter, setFilter] = useHitFilter();
  const { query, items: hits } = useList('GET /api/admin/risk/hits', { query: filter });
  const text = (name: 'value' | 'saleId') => (
    <TextField
      label={t(`filter.${name}`)}
      type="search"
      maxLength={200}
      value={filter[name]}
      onChange={({ target }) => setFilter({ [name]: target.value.trim() })}
    />
  );
  return (
    <section aria-label={t('hits')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('hits')}</h2>
      <div className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-5">
        <ChoiceField
          label={t('filter.state')}
          value={filter.state}
          choices={['all', 'live']}
          nameOf={(state) => t(`filter.${state}`)}
          onChoose={(state) => setFilter({ state })}
        />
        <SelectField
          label={t('filter.rule')}
          value={filter.ruleId}
          onChange={({ target }) => setFilter({ ruleId: target.value })}
        >
          <option value="">{t('filter.any')}</option>
          {rules.map(({ ruleId, name }) => (
            <option key={ruleId} value={ruleId}>
              {name}
            </option>
          ))}
          {filter.ruleId && !rules.some(({ ruleId }) => ruleId === filter.ruleId) ? (
            <option value={filter.ruleId}>{filter.ruleId}</option>
          ) : null}
        </SelectField>
        <ChoiceField
          label={t('filter.kind')}
          value={filter.kind}
          choices={['', ...RISK_SUBJECTS]}
          nameOf={(kind) => (kind ? t(`subjects.${kind}`) : t('filter.any'))}
          onChoose={(kind) => setFilter({ kind })}
        />
        {text('value')}
        {text('saleId')}
      </div>
      <Paged query={query} isEmpty={hits.length === 0} empty={t('noHits')}>
        <DataTable
          isStacked
          columns={[
            { label: t('columns.who') },
            { label: t('columns.why') },
            { label: t('columns.done') },
            { label: t('columns.when') },
            { label: t('release'), isHidden: true },
          ]}
        >
          {hits.map((hit) => (
            <HitRow
              key={hit.hitId}
              hit={hit}
              rule={rules.find(({ ruleId }) => ruleId === hit.ruleId)}
              mayRelease={mayRelease}
              onChange={() => void query.refetch()}
            />
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}
