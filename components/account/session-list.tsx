'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { tellTabs } from '@/components/session/other-tabs';
import { useForgetVisitor } from '@/components/session/use-sign-out';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { SessionView } from '@/lib/contract/shapes/account';

/** Lists the visitor's sessions, each with a button that ends it, and one button for all. */
export function SessionList() {
  const t = useTranslations('Account');
  const common = useTranslations('Common');
  const client = useQueryClient();
  const forget = useForgetVisitor();
  const nameOf = useSessionName();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => request('GET /api/account/sessions', { signal }),
    staleTime: 0,
  });
  const end = useMutation({
    mutationFn: ({ sessionId }: SessionView) =>
      request('POST /api/account/sessions/{sessionId}/end', { params: { sessionId } }),
    onSettled: () => client.refetchQueries({ queryKey: ['sessions'] }),
  });
  const leave = useMutation({
    mutationFn: () => request('POST /api/account/sessions/end'),
    onSuccess: async () => {
      tellTabs('signed-out');
      await forget();
    },
  });
  // The session had already ended by itself: the refreshed list shows that now.
  const isGone = problemCode(end.error) === 'SESSION_NOT_FOUND';
  const failure = (isGone ? null : end.error) ?? leave.error ?? error;
  const ended = end.isSuccess || isGone ? end.variables : undefined;
  const shown = data?.sessions.map(({ sessionId }) => sessionId).join(' ') ?? (error ? 'failed' : 'loading');
  // A session that ends takes its button with it.
  const focus = useKeptFocus(shown);
  return (
    <section aria-labelledby="sessions" className="grid gap-5">
      <h2 id="sessions" className="font-semibold text-xl">
        {t('sessions')}
      </h2>
      <p className="text-muted">{t('sessionsText')}</p>
      <Problem error={failure} />
      <p role="status" className="sr-only">
        {ended ? t('ended', nameOf(ended)) : null}
      </p>
      <div {...focus} tabIndex={-1} className="outline-none">
        {data ? (
          <ul className="grid gap-3">
            {data.sessions.map((session) => (
              <SessionRow
                key={session.sessionId}
                session={session}
                isBusy={end.isPending && end.variables.sessionId === session.sessionId}
                onEnd={() => end.mutate(session)}
              />
            ))}
          </ul>
        ) : error ? (
          <Button onClick={() => void refetch()}>{common('retry')}</Button>
        ) : (
          <p className="text-muted">{common('loading')}</p>
        )}
      </div>
      <EndAll leave={leave} />
    </section>
  );
}

/** Ends every session of the account, after asking. */
function EndAll({ leave }: { leave: { isPending: boolean; mutate: () => void } }) {
  const t = useTranslations('Account');
  const common = useTranslations('Common');
  return (
    <ConfirmDialog
      trigger={
        <Button tone="danger" className="justify-self-start" isBusy={leave.isPending}>
          {t('everywhere')}
        </Button>
      }
      title={t('everywhereTitle')}
      text={t('everywhereText')}
      confirmLabel={t('everywhere')}
      keepLabel={common('cancel')}
      isDangerous
      onConfirm={() => leave.mutate()}
    />
  );
}

/** Names a session; two of the same browser differ by when they began. */
function useSessionName() {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  return ({ browser, createdAt }: SessionView) => ({
    browser: browser === '' ? t('unknownBrowser') : browser,
    since: localDate(createdAt, 'short'),
  });
}

function SessionRow({
  session,
  isBusy,
  onEnd,
}: {
  session: SessionView;
  isBusy: boolean;
  onEnd: () => void;
}) {
  const t = useTranslations('Account');
  const localDate = useLocalDate();
  const { browser, since } = useSessionName()(session);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-line px-4 py-3">
      <div className="grid gap-0.5">
        <p className="font-medium">{browser}</p>
        <p className="text-muted text-sm tabular-nums">
          {t('since', { since, seen: localDate(session.lastSeenAt, 'short') })}
        </p>
      </div>
      {session.isCurrent ? (
        <Badge tone="success">{t('thisOne')}</Badge>
      ) : (
        <Button aria-label={t('endWhich', { browser, since })} isBusy={isBusy} onClick={onEnd}>
          {t('end')}
        </Button>
      )}
    </li>
  );
}
