'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import type { Check } from '@/lib/contract/shapes/preflight';
import type messages from '@/messages/en.json';

type Words = (typeof messages)['AdminSales']['preflight'];

const EVERY_MS = 15_000;
const WITHIN_MS = 20_000;

/** Shows the checks that run before a sale is published, what each found, and what that means. */
export function PreflightList({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminSales.preflight');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin-preflight', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/preflight', {
        params: { saleId },
        signal,
        timeoutMs: WITHIN_MS,
      }),
    refetchInterval: EVERY_MS,
  });
  const failing = data?.checks.filter(({ ok }) => !ok) ?? [];
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-lg">{t('heading')}</h2>
        <Button isBusy={isFetching} onClick={() => void refetch()}>
          {t(isFetching ? 'checking' : 'again')}
        </Button>
      </div>
      <Problem error={error} />
      {data ? (
        <p role="status" className={data.ok ? undefined : 'text-danger'}>
          {data.ok ? t('ready', { count: failing.length }) : t('notReady')}
        </p>
      ) : null}
      <ul className="grid gap-2">
        {data?.checks.map((check) => (
          <CheckLine key={check.id} check={check} />
        ))}
      </ul>
    </Card>
  );
}

function CheckLine({ check: { id, ok, severity, reason, values } }: { check: Check }) {
  const t = useTranslations('AdminSales.preflight');
  const why = `why.${id}_${reason}` as `why.${keyof Words['why']}`;
  const name = `checks.${id}` as `checks.${keyof Words['checks']}`;
  const outcome = ok ? 'ok' : severity;
  return (
    <li className="grid grid-cols-[6rem_1fr] gap-x-3">
      <span>
        <Badge tone={ok ? 'success' : severity === 'stop' ? 'danger' : 'warning'}>
          {t(`outcome.${outcome}`)}
        </Badge>
      </span>
      <span className="min-w-0 wrap-anywhere">
        {t.has(name) ? t(name, values) : id}
        {!ok && t.has(why) ? <span className="block text-muted">{t(why, values)}</span> : null}
      </span>
    </li>
  );
}
