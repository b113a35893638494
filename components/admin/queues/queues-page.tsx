'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { adminPage, PageFrame } from '../kit/admin-page';
import { DeadLetterList } from './dead-letter-list';
import { FlowCard } from './flow-card';
import { MessageTable } from './message-table';
import { OutboxTable } from './outbox-table';
import { RunTable } from './run-table';
import { useQueueFilter } from './use-queue-filter';

const EVERY_MS = 3_000;

/** Shows everything that waits somewhere between a purchase and its last mail. */
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
    <PageFrame
      words="AdminQueues"
      className="gap-10"
      beside={
        <TextField
          label={t('saleId')}
          type="search"
          maxLength={64}
          value={filter.saleId}
          onChange={({ target }) => setFilter({ saleId: target.value.trim() })}
        />
      }
    >
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
    </PageFrame>
  );
}

export const QueuesPage = adminPage(Queues);
