'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import { isolated } from '@/lib/human-text';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { ReportBadge } from './report-badge';
import type { ReconcileFilter } from './use-reconcile-filter';

const EVERY_MS = 10_000;

interface ReconciledTableProps {
  filter: ReconcileFilter;
  onFilter: (change: Partial<ReconcileFilter>) => void;
}

/** Lists the published sales, each with the result of its last reconciliation. */
export function ReconciledTable({ filter: { state }, onFilter }: ReconciledTableProps) {
  const t = useTranslations('AdminReconcile');
  const localDate = useLocalDate();
  const number = new Intl.NumberFormat(useLocale());
  const { query, items: sales } = useList('GET /api/admin/reconciliations', {
    query: { state },
    refetchInterval: EVERY_MS,
  });
  const open = (saleId: string) => {
    onFilter({ saleId });
    window.scrollTo({ top: 0 });
  };
  return (
    <section aria-label={t('sales')} className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h2 className="font-semibold text-xl">{t('sales')}</h2>
        <ChoiceField
          label={t('show')}
          value={state}
          choices={['all', 'broken']}
          nameOf={(state) => t(state === 'all' ? 'all' : 'onlyBroken')}
          onChoose={(state) => onFilter({ state })}
        />
      </div>
      <Paged query={query} isEmpty={sales.length === 0} empty={t(`none.${state}`)}>
        <DataTable
          isStacked="pairs"
          columns={[
            { label: t('sale') },
            { label: t('result') },
            { label: t('found'), isNumber: true },
            { label: t('repaired'), isNumber: true },
            { label: t('checkedAt') },
            { label: t('open'), isHidden: true },
          ]}
        >
          {sales.map(({ saleId, title, last }) => (
            <tr key={saleId}>
              <th scope="row" className="break-words font-medium">
                <bdi>{title}</bdi>
              </th>
              <td>{last ? <ReportBadge report={last} /> : t('never')}</td>
              <td className="text-right tabular-nums">{last ? number.format(last.found) : '–'}</td>
              <td className="text-right tabular-nums">{last ? number.format(last.repaired) : '–'}</td>
              <td className="whitespace-nowrap tabular-nums">
                {last ? localDate(last.checkedAt, 'short') : '–'}
              </td>
              <td>
                <Button onClick={() => open(saleId)} aria-label={t('openNamed', { title: isolated(title) })}>
                  {t('open')}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}
