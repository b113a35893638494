'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { Card } from '@/components/ui/card';
import { SectionHeading } from '@/components/ui/headings';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { QueueOverview } from '@/lib/contract/shapes/queue';
import { ActionButton, type ActionButtonProps } from '../kit/action-button';
import { ChoiceField } from '../kit/choice-field';
import { Paged } from '../kit/paged';
import { useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import { DeadLetter } from './dead-letter';
import { usePartWords } from './use-part-words';
import type { QueueFilter } from './use-queue-filter';

const EVERY_MS = 5_000;
/** Bounds the wait for a retry of all: the server tries 1,000 one after the other. */
const RETRY_WITHIN_MS = 120_000;

interface DeadLetterListProps {
  filter: QueueFilter;
  onFilter: (change: Partial<QueueFilter>) => void;
  overview: QueueOverview | undefined;
  onChange: () => void;
}

/** Lists the dead letters of all sales. Staff can try one again, try all of a filter again, or close one with a reason. */
export function DeadLetterList({ filter, onFilter, overview, onChange }: DeadLetterListProps) {
  const t = useTranslations('AdminQueues');
  const partWord = usePartWords();
  const mayChange = useMayInShop('work');
  const { letters: state, consumer, saleId } = filter;
  const { query, items: letters } = useList('GET /api/admin/dead-letters', {
    query: { state, consumer, saleId },
    refetchInterval: EVERY_MS,
  });
  const refresh = () => {
    void query.refetch();
    onChange();
  };
  const retryAll = useAction('POST /api/admin/dead-letters/retry', { refresh });
  // Those after the last that were tried, unless others are shown by now.
  const chosen = { consumer: consumer || undefined, saleId: saleId || undefined };
  const tried = retryAll.variables?.body;
  const isSame = tried?.consumer === chosen.consumer && tried?.saleId === chosen.saleId;
  const after = (isSame ? retryAll.data?.goOnAfter : null) ?? undefined;
  const open = query.data?.pages[0]?.open ?? 0;
  const known = overview?.deadLetters.map((each) => each.consumer) ?? [];
  const consumers = consumer && !known.includes(consumer) ? [...known, consumer] : known;
  return (
    <section aria-label={t('deadLetters')} className="grid gap-4">
      <SectionHeading heading={t('deadLetters')} help={t('deadLettersHelp')} />
      <div className="grid items-end gap-4 sm:grid-cols-3">
        <ChoiceField
          label={t('show')}
          value={state}
          choices={['open', 'all']}
          nameOf={(letters) => t(letters === 'open' ? 'onlyOpen' : 'alsoResolved')}
          onChoose={(letters) => onFilter({ letters })}
        />
        <ChoiceField
          label={t('givenUpBy')}
          value={consumer}
          choices={['', ...consumers]}
          nameOf={(name) => (name ? partWord(name) : t('any'))}
          onChoose={(name) => onFilter({ consumer: name })}
        />
        {mayChange && open > 1 ? (
          <RetryAllButton
            open={open}
            action={retryAll}
            onPress={() => retryAll.mutate({ body: { ...chosen, after }, timeoutMs: RETRY_WITHIN_MS })}
          />
        ) : null}
      </div>
      {retryAll.data ? (
        <Notice tone={retryAll.data.notRetryable > 0 ? 'warning' : 'success'} role="status">
          {t('retriedAll', { retried: retryAll.data.retried, left: retryAll.data.notRetryable })}{' '}
          {retryAll.data.goOnAfter ? t('isMore') : null}
        </Notice>
      ) : null}
      <Problem error={retryAll.error} />
      <Paged query={query} isEmpty={letters.length === 0} empty={t(`noLetters.${state}`)}>
        <Card>
          <ul className="divide-y divide-line">
            {letters.map((letter) => (
              <li key={letter.id} className="p-5">
                <DeadLetter letter={letter} mayChange={mayChange} onChange={refresh} />
              </li>
            ))}
          </ul>
        </Card>
      </Paged>
    </section>
  );
}

/** @param open how many dead letters are open */
function RetryAllButton({ open, ...rest }: Pick<ActionButtonProps, 'action' | 'onPress'> & { open: number }) {
  const t = useTranslations('AdminQueues');
  return (
    <ActionButton
      {...rest}
      className="justify-self-start"
      ask={{
        title: t('retryAllTitle', { count: open }),
        text: t('retryAllText'),
        confirmLabel: t('retryAllConfirm'),
        keepLabel: t('leave'),
      }}
    >
      {rest.action.isPending ? t('retryingAll') : t('retryAll', { count: open })}
    </ActionButton>
  );
}
