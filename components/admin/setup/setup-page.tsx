'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { SetupStep } from '@/lib/contract/shapes/setup';
import { adminPage, PageFrame } from '../kit/admin-page';

/** Whoever has just changed something comes back to look. */
const EVERY_MS = 15_000;
const TONES: Record<SetupStep['state'], BadgeTone> = { done: 'success', todo: 'danger', advice: 'warning' };
/** Steps that are done in the admin area. */
const PAGES: Partial<Record<SetupStep['id'], string>> = { staff: '/admin/users' };

/** Shows what is missing before the shop goes live, and the one thing to do for each. */
function Setup() {
  const t = useTranslations('AdminSetup');
  const common = useTranslations('Common');
  const api = useTranslations('ApiDocs');
  const { data, error } = useQuery({
    queryKey: ['admin-setup'],
    queryFn: ({ signal }) => request('GET /api/admin/setup', { signal }),
    refetchInterval: EVERY_MS,
  });
  const missing = data?.steps.filter(({ state }) => state === 'todo').length ?? 0;
  return (
    <PageFrame words="AdminSetup">
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data ? (
        <>
          <Notice tone={data.isReady ? 'success' : 'warning'} role="status">
            {data.isReady ? t('ready') : t('missing', { count: missing })}
          </Notice>
          <ol aria-label={t('listHeading')} className="grid gap-4">
            {data.steps.map((step) => (
              <li key={step.id}>
                <Step step={step} />
              </li>
            ))}
          </ol>
          <Link
            href="/docs/api"
            prefetch={false}
            className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
          >
            {api('title')}
          </Link>
        </>
      ) : null}
    </PageFrame>
  );
}

function Step({ step: { id, state, found } }: { step: SetupStep }) {
  const t = useTranslations('AdminSetup');
  const date = useLocalDate();
  const page = PAGES[id];
  const shown = id === 'backup' && found !== null ? date(Date.parse(found)) : found;
  return (
    <Card className="grid gap-2 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-lg">{t(`steps.${id}.name`)}</h2>
        <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
      </div>
      <p className="break-words text-muted">
        {shown === null ? t(`steps.${id}.why`) : t(`steps.${id}.found`, { found: shown })}
      </p>
      {state === 'done' ? null : (
        <p>
          {t.rich(`steps.${id}.do`, {
            code: (text) => <code className="break-all rounded bg-sunken px-1.5 py-0.5 text-sm">{text}</code>,
          })}
          {page ? (
            <>
              {' '}
              <Link href={page} prefetch={false} className="font-semibold underline underline-offset-4">
                {t('open')}
              </Link>
            </>
          ) : null}
        </p>
      )}
    </Card>
  );
}

export const SetupPage = adminPage(Setup, 'operator', 'AdminSetup');
