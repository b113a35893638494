'use client';

import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { usePush } from './use-push';

/** Lets the visitor have the shop's notices shown on this device, even while none of its pages is open. */
export function PushSwitch() {
  const t = useTranslations('Account.push');
  const common = useTranslations('Common');
  const { data: standing, error, refetch, turnOn, turnOff } = usePush();
  const failed = turnOn.error ?? turnOff.error;
  return (
    <section aria-labelledby="push" className="grid gap-4">
      <h2 id="push" className="font-semibold text-xl">
        {t('heading')}
      </h2>
      <p className="text-muted">{t('text')}</p>
      {/* The element exists before its text does: otherwise screen readers would not announce the text. */}
      <div role="status" className="-mt-4 not-empty:mt-0">
        {standing === 'on' ? <Notice tone="success">{t('isOn')}</Notice> : null}
        {standing === 'blocked' || standing === 'unsupported' || standing === 'unavailable' ? (
          <Notice>{t(standing)}</Notice>
        ) : null}
      </div>
      {failed instanceof ApiProblem || error ? <Problem error={failed ?? error} /> : null}
      {/* Browsers say in no language of ours why they could not. */}
      {failed && !(failed instanceof ApiProblem) ? (
        <Notice tone="danger" role="alert">
          {t('failed')}
        </Notice>
      ) : null}
      {standing === 'off' ? (
        <Button className="justify-self-start" isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
          {t('turnOn')}
        </Button>
      ) : standing === 'on' ? (
        <Button className="justify-self-start" isBusy={turnOff.isPending} onClick={() => turnOff.mutate()}>
          {t('turnOff')}
        </Button>
      ) : error ? (
        <Button className="justify-self-start" onClick={() => void refetch()}>
          {common('retry')}
        </Button>
      ) : null}
    </section>
  );
}
