'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { SelectField } from '@/components/ui/field';
import { SectionHeading } from '@/components/ui/headings';
import { LINK } from '@/components/ui/link-style';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { AdminRun, QueueOverview } from '@/lib/contract/shapes/queue';
import { RUN_STATES } from '@/lib/contract/words/queue';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { usePartWords } from './use-part-words';
import type { QueueFilter } from './use-queue-filter';

const EVERY_MS = 5_000;

interface RunTableProps {
  filter: QueueFilter;
  onFilter: (change: Partial<QueueFilter>) => void;
  overview: QueueOverview | undefined;
}

/** Lists the executor's runs: those at work, those that wait for their time, and those that failed. */
export function RunTable({ filter, onFilter, overview }: RunTableProps) {
  const t = useTranslations('AdminQueues');
  const { query, items: runs } = useList('GET /api/admin/queues/runs', {
    query: { state: filter.runs, saleId: filter.saleId },
    refetchInterval: EVERY_MS,
  });
  const isElsewhere = query.data?.pages[0]?.executor === 'elsewhere';
  return (
    <section aria-label={t('runs')} className="grid gap-4">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <SectionHeading heading={t('runs')} help={t('runsHelp')} />
        {isElsewhere ? null : (
          <SelectField
            label={t('show')}
            value={filter.runs}
            onChange={({ target }) => onFilter({ runs: target.value as QueueFilter['runs'] })}
          >
            {RUN_STATES.map((state) => (
              <option key={state} value={state}>
                {t(`states.${state}`)} ({overview?.runs?.[state] ?? '–'})
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {isElsewhere ? (
        <Notice>{t('elsewhere')}</Notice>
      ) : (
        <Paged query={query} isEmpty={runs.length === 0} empty={t(`noRuns.${filter.runs}`)}>
          <DataTable
            isStacked
            columns={[
              { label: t('function') },
              { label: t('sale') },
              { label: t('started') },
              { label: t(`at.${filter.runs}`) },
              { label: filter.runs === 'failed' ? t('lastError') : t('attempts') },
            ]}
          >
            {runs.map((run) => (
              <RunRow key={`${run.runId} ${run.at}`} run={run} />
            ))}
          </DataTable>
        </Paged>
      )}
    </section>
  );
}

function RunRow({
  run: { runId, functionId, event, saleId, attempts, startedAt, at, error },
}: {
  run: AdminRun;
}) {
  const t = useTranslations('AdminQueues');
  const partWord = usePartWords();
  const localDate = useLocalDate();
  return (
    <tr>
      <th scope="row">
        <span className="block font-medium">{partWord(functionId)}</span>
        <span className="block break-all text-muted text-sm">{t('run', { event, runId })}</span>
      </th>
      <td>
        {saleId === null ? (
          '–'
        ) : (
          <Link href={`/admin/sales/${saleId}`} prefetch={false} className={LINK}>
            {t('toSale')}
          </Link>
        )}
      </td>
      <td className="whitespace-nowrap tabular-nums">{localDate(startedAt, 'short')}</td>
      <td className="whitespace-nowrap tabular-nums">{at === null ? '–' : localDate(at, 'time')}</td>
      <td className="break-words text-sm tabular-nums">{error ?? attempts}</td>
    </tr>
  );
}
