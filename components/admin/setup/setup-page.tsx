'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { Setup } from '@/lib/contract/shapes/preflight';
import { adminPage, PageFrame } from '../kit/admin-page';
import { CheckCard } from './check-card';
import { CheckLine } from './check-line';

/** An admin who has changed something comes back to look. */
const EVERY_MS = 15_000;
const WITHIN_MS = 30_000;

/** Shows what is missing before the shop goes live, and the one thing to do for each. */
function SetupContent() {
  const t = useTranslations('AdminSetup');
  const common = useTranslations('Common');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin-setup'],
    queryFn: ({ signal }) => request('GET /api/admin/setup', { signal, timeoutMs: WITHIN_MS }),
    refetchInterval: EVERY_MS,
  });
  const again = (
    <Button isBusy={isFetching} onClick={() => void refetch()}>
      {t('again')}
    </Button>
  );
  return (
    <PageFrame words="AdminSetup" beside={again}>
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data ? <Checks setup={data} /> : null}
    </PageFrame>
  );
}

function Checks({ setup: { ok, checks, trials } }: { setup: Setup }) {
  const t = useTranslations('AdminSetup');
  const failing = checks.filter((check) => !check.ok);
  const done = checks.filter((check) => check.ok);
  const parts = (['stop', 'warn'] as const).map((severity) => ({
    severity,
    of: failing.filter((check) => check.severity === severity),
  }));
  const missing = parts[0]?.of.length ?? 0;
  return (
    <>
      <Notice tone={ok ? 'success' : 'warning'} role="status">
        {ok ? t('ready') : t('missing', { count: missing })}
      </Notice>
      {parts.map(({ severity, of }) =>
        of.length === 0 ? null : (
          <section key={severity} aria-labelledby={severity} className="grid gap-4">
            <h2 id={severity} className="font-semibold text-xl">
              {t(`parts.${severity}`)}
            </h2>
            <ul className="grid gap-4 lg:grid-cols-2">
              {of.map((check) => (
                <li key={check.id} className="grid">
                  <CheckCard check={check} trials={trials} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      <section aria-labelledby="done" className="grid gap-4">
        <h2 id="done" className="font-semibold text-xl">
          {t('parts.done')}
        </h2>
        <ul className="grid gap-3">
          {done.map((check) => (
            <CheckLine key={check.id} check={check} trials={trials} />
          ))}
        </ul>
      </section>
    </>
  );
}

export const SetupPage = adminPage(SetupContent, 'setUp', 'AdminSetup');
