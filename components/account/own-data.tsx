'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { Said } from '@/components/ui/said';
import { besidesWait, useWait } from '@/components/ui/use-wait';
import { WaitNotice } from '@/components/ui/wait-notice';

/** The file of somebody with years of orders is long. */
const MADE_WITHIN_MS = 60_000;

/** Lets the visitor download what the shop keeps about them. */
export function OwnData() {
  const t = useTranslations('Account');
  const wait = useWait();
  const take = useMutation({
    mutationFn: () => request('GET /api/account/export', { timeoutMs: MADE_WITHIN_MS }),
    onSuccess: (file) => save('my-data.zip', file),
    onError: wait.take,
  });
  return (
    <section aria-labelledby="data" className="grid gap-5">
      <h2 id="data" className="font-semibold text-xl">
        {t('data')}
      </h2>
      <p className="text-muted">{t('exportText')}</p>
      <Said>{take.isSuccess ? <Notice tone="success">{t('exportDone')}</Notice> : null}</Said>
      <Problem error={besidesWait(take.error)} />
      <WaitNotice wait={wait} words={(time) => t('exportWait', { time })} />
      <Button
        className="justify-self-start"
        isBusy={take.isPending}
        disabled={wait.leftMs > 0}
        onClick={() => take.mutate()}
      >
        {t('exportPress')}
      </Button>
    </section>
  );
}

/** Hands a file to the browser. */
function save(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
