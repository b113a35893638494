'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { type AuditEntry, type AuditFilter, getAudit } from './audit-api';
import { Difference } from './difference';
import { useActionWords } from './use-action-words';

const CELL = 'px-4 py-3 text-left align-top';
const COLUMNS = ['when', 'who', 'what', 'subject', 'change'] as const;

/** What was done, newest first, page by page. */
export function AuditTable({ filter }: { filter: AuditFilter }) {
  const t = useTranslations('DeskAudit');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['admin-audit', filter],
    queryFn: ({ pageParam, signal }) => getAudit(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: (previous) => previous,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && entries.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
      {entries.length > 0 ? (
        <Card className="relative overflow-x-auto">
          <table className="w-full min-w-4xl border-collapse text-base">
            <caption className="sr-only">{t('heading')}</caption>
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" className={CELL}>
                    {t(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        </Card>
      ) : null}
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const t = useTranslations('DeskAudit');
  const words = useActionWords();
  const localDate = useLocalDate();
  const { id, at, actorId, actorEmail, actorRole, action, subjectKind, subjectId, before, after, reason } =
    entry;
  return (
    <tr className="border-line border-b last:border-0 hover:bg-sunken">
      <td className={`${CELL} whitespace-nowrap tabular-nums`}>
        {localDate(at, 'short')}
        <span className="block text-muted text-sm">{t('number', { id })}</span>
      </td>
      <td className={CELL}>
        <span className="break-all">{actorEmail ?? actorId}</span>
        <span className="block text-muted text-sm">{actorRole}</span>
      </td>
      <th scope="row" className={`${CELL} font-medium`}>
        {words(action)}
        {reason === null ? null : (
          <span className="block break-words font-normal text-muted text-sm">{t('because', { reason })}</span>
        )}
      </th>
      <td className={CELL}>
        <span className="block text-muted text-sm">{subjectKind}</span>
        <span className="break-all text-sm">{subjectId}</span>
      </td>
      <td className={`${CELL} max-w-md text-sm`}>
        <Difference before={before} after={after} />
      </td>
    </tr>
  );
}
