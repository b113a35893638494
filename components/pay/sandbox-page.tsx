'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Badge } from '@/components/ui/badge';
import { Button, buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useIsLeaving } from '@/components/ui/use-is-leaving';
import { usePathId } from '@/components/ui/use-path-id';
import type { SandboxPage as Payment } from '@/lib/contract/shapes/payment';
import { internalPath } from '@/lib/http/internal-path';
import { formatMoney } from '@/lib/money';

type Choice = 'pay' | 'decline';

const CHECK_EVERY_MS = 2_000;

/** Shows the built-in payment provider's page: it takes the place of a real provider and moves no money. */
export function SandboxPage() {
  const t = useTranslations('Pay');
  const paymentId = usePathId() ?? '';
  const query = useSearchParams();
  const token = query.get('token') ?? '';

  const { data: payment, error } = useQuery({
    queryKey: ['sandbox-payment', paymentId],
    enabled: paymentId !== '',
    queryFn: ({ signal }) =>
      request('GET /api/payments/sandbox/{paymentId}', {
        params: { paymentId },
        query: { token },
        signal,
      }),
    refetchInterval: ({ state }) => state.data?.status === 'checking' && CHECK_EVERY_MS,
  });
  const backTo = (returnUrl: string) =>
    internalPath(query.get('return') ?? returnUrl, window.location.origin) ?? '/orders';
  const choose = useMutation({
    mutationFn: (choice: Choice) =>
      request(`POST /api/payments/sandbox/{paymentId}/${choice}`, {
        params: { paymentId },
        body: { token },
      }),
    onSuccess: ({ returnUrl }) => window.location.assign(backTo(returnUrl)),
  });
  const isLeaving = useIsLeaving(choose);
  return (
    <Card className="grid gap-6 p-6">
      <div className="grid gap-3">
        <Badge tone="warning" className="justify-self-start">
          {t('badge')}
        </Badge>
        <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
        <p className="text-muted">{t('intro')}</p>
      </div>
      {error ? (
        <Notice tone="danger" role="alert">
          {t('notFound')}
        </Notice>
      ) : null}
      {!payment && !error ? <p className="text-muted">{t('loading')}</p> : null}
      {payment ? (
        <>
          <Facts payment={payment} />
          {payment.status === 'pending' || payment.status === 'failed' ? (
            <Choices payment={payment} isBusy={isLeaving} onChoose={choose.mutate} />
          ) : (
            <div className="grid gap-4">
              <Notice tone={payment.status === 'succeeded' ? 'success' : 'info'}>{t(payment.status)}</Notice>
              <a href={backTo(payment.returnUrl)} className={buttonStyle()}>
                {t('back')}
              </a>
            </div>
          )}
        </>
      ) : null}
      <Problem error={choose.error} />
    </Card>
  );
}

function Facts({ payment }: { payment: Payment }) {
  const t = useTranslations('Pay');
  const amount = useAmount(payment);
  const returned = formatMoney(payment.returnedMinor, payment.currency, useLocale());
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-xl bg-sunken p-4">
      <Row label={t('to')} value={t('shop')} />
      <Row label={t('for')} value={payment.title} />
      <Row label={t('order')} value={payment.orderNo} />
      <Row label={t('amount')} value={amount} isStrong />
      {payment.returnedMinor > 0 ? <Row label={t('returned')} value={returned} /> : null}
    </dl>
  );
}

function Row({ label, value, isStrong = false }: { label: string; value: string; isStrong?: boolean }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className={isStrong ? 'text-right font-bold tabular-nums' : 'break-words text-right tabular-nums'}>
        <bdi>{value}</bdi>
      </dd>
    </>
  );
}

interface ChoicesProps {
  payment: Payment;
  isBusy: boolean;
  onChoose: (choice: Choice) => void;
}

/** Offers both ends of a payment. The shopper may try a declined one again, as with a real provider. */
function Choices({ payment, isBusy, onChoose }: ChoicesProps) {
  const t = useTranslations('Pay');
  const amount = useAmount(payment);
  return (
    <div className="grid gap-3">
      {payment.status === 'failed' ? <Notice>{t('failed')}</Notice> : null}
      <Button
        tone="primary"
        size="lg"
        className="h-14 w-full tabular-nums"
        isBusy={isBusy}
        onClick={() => onChoose('pay')}
      >
        {isBusy ? t('working') : t('pay', { amount })}
      </Button>
      <Button isBusy={isBusy} onClick={() => onChoose('decline')}>
        {t('decline')}
      </Button>
    </div>
  );
}

const useAmount = ({ amountMinor, currency }: Payment) => formatMoney(amountMinor, currency, useLocale());
