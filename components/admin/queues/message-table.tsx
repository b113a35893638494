'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { SectionHeading } from '@/components/ui/headings';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { AdminMessage } from '@/lib/contract/shapes/queue';
import { TOPICS } from '@/lib/contract/words/queue';
import { ActionButton } from '../kit/action-button';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { Payload } from './payload';
import { usePartWords } from './use-part-words';
import type { QueueFilter } from './use-queue-filter';

const EVERY_MS = 5_000;

interface MessageTableProps {
  filter: QueueFilter;
  onFilter: (change: Partial<QueueFilter>) => void;
  onChange: () => void;
}

/** Lists the messages that are not delivered yet: those that follow a payment, and those to the executor. */
export function MessageTable({ filter, onFilter, onChange }: MessageTableProps) {
  const t = useTranslations('AdminQueues');
  const mayRetry = useMayInShop('work');
  const { messages: state, topic, saleId } = filter;
  const { query, items: messages } = useList('GET /api/admin/queues/messages', {
    query: { state, topic, saleId },
    refetchInterval: EVERY_MS,
  });
  return (
    <section aria-label={t('messages')} className="grid gap-4">
      <SectionHeading heading={t('messages')} help={t('messagesHelp')} />
      <div className="grid gap-4 sm:grid-cols-3">
        <ChoiceField
          label={t('show')}
          value={state}
          choices={['failing', 'waiting']}
          nameOf={(messages) => t(messages === 'failing' ? 'onlyFailing' : 'allWaiting')}
          onChoose={(messages) => onFilter({ messages })}
        />
        <ChoiceField
          label={t('topic')}
          value={topic}
          choices={['', ...TOPICS]}
          nameOf={(name) => (name ? t(`topics.${name}`) : t('any'))}
          onChoose={(name) => onFilter({ topic: name })}
        />
      </div>
      <Paged query={query} isEmpty={messages.length === 0} empty={t(`noMessages.${state}`)}>
        <DataTable
          isStacked
          columns={[
            { label: t('message') },
            { label: t('attempts'), isNumber: true },
            { label: t('nextTry') },
            { label: t('lastError') },
            { label: t('tryNow'), isHidden: true },
          ]}
        >
          {messages.map((message) => (
            <MessageRow
              key={message.id}
              message={message}
              mayRetry={mayRetry}
              onChange={() => {
                void query.refetch();
                onChange();
              }}
            />
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}

function MessageRow({
  message: { id, topic, payload, attempts, lastError, createdAt, nextTryAt },
  mayRetry,
  onChange,
}: {
  message: AdminMessage;
  mayRetry: boolean;
  onChange: () => void;
}) {
  const t = useTranslations('AdminQueues');
  const localDate = useLocalDate();
  const partWord = usePartWords();
  const retry = useAction('POST /api/admin/queues/messages/{id}/retry', { refresh: onChange });
  return (
    <tr>
      <th scope="row">
        <span className="block font-medium">{partWord(topic)}</span>
        <span className="block text-muted text-sm tabular-nums">
          {t('since', { id, time: localDate(createdAt, 'short') })}
        </span>
        {payload.orderNo ? (
          <span className="block text-sm tabular-nums">{t('order', { orderNo: payload.orderNo })}</span>
        ) : null}
        <Payload value={payload} />
      </th>
      <td className="text-right tabular-nums">{attempts}</td>
      <td className="whitespace-nowrap tabular-nums">{localDate(nextTryAt, 'time')}</td>
      <td className="break-words text-sm">{lastError ?? '–'}</td>
      <td>
        {mayRetry && lastError !== null ? (
          <ActionButton
            action={retry}
            onPress={() => retry.mutate({ params: { id } })}
            aria-label={t('tryNowNamed', { id })}
            className="whitespace-nowrap"
          >
            {t('tryNow')}
          </ActionButton>
        ) : null}
        <p role="status" className="text-sm">
          {retry.isSuccess ? t('isDue') : null}
        </p>
        <Problem isSmall error={retry.error} />
      </td>
    </tr>
  );
}
