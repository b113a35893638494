'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useList, useRefreshLists } from '@/components/api/use-list';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { UNREAD_KEY } from '@/components/session/visit-keys';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { NotificationView } from '@/lib/contract/shapes/notice';
import { isolated } from '@/lib/human-text';
import { formatMoney } from '@/lib/money';

const EVERY_MS = 15_000;

/** Lists the shop's notices to the shopper, newest first, page by page. */
export function NotificationList() {
  const t = useTranslations('Notifications');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const refreshLists = useRefreshLists();
  const { query, items: notices } = useList('GET /api/notifications', {
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
  const read = useMutation({
    // Marks the named notices as read, or all.
    mutationFn: (ids?: string[]) => request('POST /api/notifications/read', { body: { ids } }),
    onSuccess: (answer) => {
      client.setQueryData(UNREAD_KEY, answer);
      refreshLists('GET /api/notifications');
    },
  });
  const { data } = query;
  const error = query.error ?? read.error;

  if (error instanceof ApiProblem && error.status === 401) {
    return <SignInPrompt text={common('signInFirst')} callbackPath="/notifications" />;
  }
  const unread = data?.pages[0]?.unread ?? 0;
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        {unread > 0 ? (
          <Button isBusy={read.isPending} onClick={() => read.mutate(undefined)}>
            {t('markAllRead')}
          </Button>
        ) : null}
      </div>
      <Problem error={error} />
      {query.isPending ? <p className="text-lg text-muted">{common('loading')}</p> : null}
      {data && notices.length === 0 ? <p className="text-lg text-muted">{t('empty')}</p> : null}
      <ul className="grid gap-4">
        {notices.map((notice) => (
          <li key={notice.id}>
            <Row notice={notice} onOpen={() => notice.readAt === null && read.mutate([notice.id])} />
          </li>
        ))}
      </ul>
      {query.hasNextPage ? (
        <Button
          className="justify-self-center"
          isBusy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </div>
  );
}

function Row({ notice, onOpen }: { notice: NotificationView; onOpen: () => void }) {
  const t = useTranslations('Notifications');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { kind, orderNo, saleSlug, saleTitle, amountMinor, currency, payBy, createdAt, readAt } = notice;
  return (
    <Card className="relative grid gap-1 p-5 has-focus-visible:outline-3 has-focus-visible:outline-text has-focus-visible:outline-offset-2 hover:bg-sunken">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold text-lg">
          <Link
            href={kind === 'not_drawn' && saleSlug ? `/sales/${saleSlug}` : `/orders/${orderNo}`}
            prefetch={false}
            onClick={onOpen}
            className="outline-none after:absolute after:inset-0"
          >
            {t(`${kind}.title`, { title: isolated(saleTitle) })}
          </Link>
        </h2>
        {readAt === null ? <Badge>{t('new')}</Badge> : null}
      </div>
      <p className="text-muted">
        {t(`${kind}.text`, {
          amount: formatMoney(amountMinor, currency, locale),
          date: localDate(payBy, 'short'),
        })}
      </p>
      <p className="text-muted text-sm tabular-nums">
        <time dateTime={new Date(createdAt).toISOString()}>{localDate(createdAt, 'short')}</time>
      </p>
    </Card>
  );
}
