'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { SectionHeading } from '@/components/ui/headings';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { RowLink } from '../kit/row-link';
import type { QueueFilter } from './use-queue-filter';
import { useQueueWords } from './use-queue-words';

const EVERY_MS = 5_000;

interface OutboxTableProps {
  filter: QueueFilter;
  onFilter: (change: Partial<QueueFilter>) => void;
}

/** Lists the outbox of each open sale: accepted purchases whose orders are not written yet. */
export function OutboxTable({ filter, onFilter }: OutboxTableProps) {
  const t = useTranslations('AdminQueues');
  const words = useQueueWords();
  const number = new Intl.NumberFormat(useLocale());
  const { query, items: outboxes } = useList('GET /api/admin/queues/outboxes', {
    query: { state: filter.outboxes, saleId: filter.saleId },
    refetchInterval: EVERY_MS,
  });
  return (
    <section aria-label={t('outboxes')} className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <SectionHeading heading={t('outboxes')} help={t('outboxesHelp')} />
        <ChoiceField
          label={t('show')}
          value={filter.outboxes}
          choices={['waiting', 'all']}
          nameOf={(outboxes) => t(outboxes === 'waiting' ? 'withBacklog' : 'everyOpenSale')}
          onChoose={(outboxes) => onFilter({ outboxes })}
        />
      </div>
      <Paged query={query} isEmpty={outboxes.length === 0} empty={t('noBacklog')}>
        <DataTable
          isStacked="pairs"
          columns={[
            { label: t('sale') },
            { label: t('backlog'), isNumber: true },
            { label: t('inHand'), isNumber: true },
            { label: t('oldest'), isNumber: true },
            { label: t('takenPerSec'), isNumber: true },
          ]}
        >
          {outboxes.map(({ saleId, title, depth, pending, oldestAgeMs, takenPerSec }) => (
            <tr key={saleId}>
              <RowLink href={`/admin/sales/${saleId}`}>{title}</RowLink>
              <td className="text-right tabular-nums">{number.format(depth)}</td>
              <td className="text-right tabular-nums">{number.format(pending)}</td>
              <td className="text-right tabular-nums">{words.age(oldestAgeMs)}</td>
              <td className="text-right tabular-nums">{words.rate(takenPerSec)}</td>
            </tr>
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}
