'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { TextField } from '@/components/ui/field';
import { PageHeading } from '@/components/ui/headings';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { AdminGate } from '../kit/admin-gate';
import { DeadLetterList } from './dead-letter-list';
import { FlowCard } from './flow-card';
import { MessageTable } from './message-table';
import { OutboxTable } from './outbox-table';
import { RunTable } from './run-table';
import { useQueueFilter } from './use-queue-filter';

const EVERY_MS = 3_000;

export function QueuesPage() {
  return (
    <AdminGate>
      <Queues />
    </AdminGate>
  );
}

/** Everything that waits somewhere between a purchase and its last mail. */
function Queues() {
  const t = useTranslations('AdminQueues');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const [filter, setFilter] = useQueueFilter();
  const { data, error, refetch } = useQuery({
    queryKey: ['queues', 'overview'],
    queryFn: ({ signal }) => request('GET /api/admin/queues', { signal }),
    refetchInterval: EVERY_MS,
    retry: false,
  });
  const part = { filter, onFilter: setFilter, overview: data, onChange: () => void refetch() };
  return (
    <div className="grid gap-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <PageHeading heading={t('heading')} intro={t('intro')} />
        <TextField
          label={t('saleId')}
          type="search"
          maxLength={64}
          value={filter.saleId}
          onChange={({ target }) => setFilter({ saleId: target.value.trim() })}
        />
      </div>
      {error ? (
        <Notice tone="warning" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {data ? <FlowCard overview={data} /> : <p className="text-muted">{common('loading')}</p>}
      <DeadLetterList {...part} />
      <MessageTable {...part} />
      <OutboxTable {...part} />
      <RunTable {...part} />
    </div>
  );
}
