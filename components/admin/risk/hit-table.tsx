'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { useMay } from '@/components/session/use-may';
import type { RiskRule } from '@/lib/contract/shapes/risk';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { HitFilterFields } from './hit-filter-fields';
import { HitRow } from './hit-row';
import { useHitFilter } from './use-hit-filter';

/** Lists whom the rules have hit, newest first, page by page. */
export function HitTable({ rules }: { rules: readonly RiskRule[] }) {
  const t = useTranslations('AdminRisk');
  const mayRelease = useMay('operator');
  const [filter, setFilter] = useHitFilter();
  const { query, items: hits } = useList('GET /api/admin/risk/hits', { query: filter });
  return (
    <section aria-label={t('hits')} className="grid gap-4">
      <h2 className="font-semibold text-xl">{t('hits')}</h2>
      <HitFilterFields filter={filter} rules={rules} onFilter={setFilter} />
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
