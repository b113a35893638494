'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { addressOf, request } from '@/components/api/request';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';

const ASK_AGAIN_MS = 5_000;
/** A head follows a decision within a second or two. */
const LATE_MS = 10_000;

/** Shows how far the decision log of a sale is, and recomputes it on demand. */
export function DecisionLogCard({ saleId }: { saleId: string }) {
  const t = useTranslations('AdminLog');
  const locale = useLocale();
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['admin-sale-log', saleId],
    queryFn: ({ signal }) => request('GET /api/admin/sales/{saleId}/log', { params: { saleId }, signal }),
    refetchInterval: ASK_AGAIN_MS,
  });
  const check = useMutation({
    mutationFn: () => request('GET /api/admin/sales/{saleId}/log/verification', { params: { saleId } }),
  });
  if (!data) return null;
  const { size, head, waitingSince, sentTo, ownAddress, hasKey } = data;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const isLate = waitingSince !== null && dataUpdatedAt - waitingSince > LATE_MS;
  const signed = head
    ? `${t('headText', { size: number(head.size), date: localDate(head.at) })}${head.final ? ` · ${t('final')}` : ''}`
    : t('none');
  return (
    <Card className="grid gap-3 p-4">
      <h2 className="font-semibold">{t('heading')}</h2>
      {hasKey ? null : <Notice tone="warning">{t('noKey')}</Notice>}
      {hasKey && isLate ? (
        <Notice tone="warning">{t('late', { date: localDate(waitingSince) })}</Notice>
      ) : null}
      <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-6 gap-y-1">
        <dt className="text-muted">{t('size')}</dt>
        <dd className="tabular-nums">{number(size)}</dd>
        <dt className="text-muted">{t('head')}</dt>
        <dd className="break-words tabular-nums">{signed}</dd>
        <dt className="text-muted">{t('sentTo')}</dt>
        <dd className="break-words">{sentTo ?? t('nowhere')}</dd>
        {ownAddress ? (
          <>
            <dt className="text-muted">{t('ownAddress')}</dt>
            <dd className="break-words">{ownAddress.host}</dd>
          </>
        ) : null}
        {ownAddress?.secret ? (
          <>
            <dt className="text-muted">{t('ownSecret')}</dt>
            <dd>
              <details>
                <summary className="cursor-pointer">{t('showSecret')}</summary>
                <code className="break-all">{ownAddress.secret}</code>
                <p className="text-muted text-sm">{t('secretHint')}</p>
              </details>
            </dd>
          </>
        ) : null}
      </dl>
      <div className="flex flex-wrap gap-3">
        <Button isBusy={check.isPending} onClick={() => check.mutate()}>
          {t('verify')}
        </Button>
        {head ? (
          <a
            href={addressOf('GET /api/sales/{saleId}/log/leaves', { params: { saleId } })}
            download
            className={buttonStyle({ tone: 'plain' })}
          >
            {t('download')}
          </a>
        ) : null}
      </div>
      <div role="status">
        {check.data?.ok ? (
          <Notice tone="success">{t('whole', { leaves: check.data.leaves, heads: check.data.heads })}</Notice>
        ) : null}
        {check.data && !check.data.ok ? (
          <Notice tone="danger">
            {t('broken')} {check.data.detail}
          </Notice>
        ) : null}
        {check.error ? <Notice tone="danger">{problemText(check.error)}</Notice> : null}
      </div>
    </Card>
  );
}
