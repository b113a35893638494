'use client';

import '@/lib/zod-without-eval';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type DragEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useIsClient } from '@/components/ui/use-is-client';
import { checkReceipt, LONGEST_RECEIPT } from '@/lib/decision-log/proof/check-receipt';
import { ProvenDecisions } from './proven-decisions';

/** Checks a receipt in the browser: it is chosen, dropped or pasted, and leaves the device for nobody. */
export function ProveReceipt() {
  const t = useTranslations('Prove');
  const fileId = useId();
  const isClient = useIsClient();
  const [text, setText] = useState('');
  const check = useMutation({ mutationFn: (receipt: string) => checkReceipt(receipt) });
  const read = async (file: File | undefined) => {
    if (!file) return;
    // Larger ones are none of ours, and need not be read.
    const content = file.size > 4 * LONGEST_RECEIPT ? '' : await file.text();
    setText(content);
    check.mutate(content);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  if (isClient && !window.isSecureContext) return <Notice tone="warning">{t('insecure')}</Notice>;
  return (
    <div className="grid gap-6">
      <Card className="grid gap-5 p-5 sm:p-6" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <div className="grid gap-1.5">
          <label htmlFor={fileId} className="font-medium">
            {t('file')}
          </label>
          <input
            id={fileId}
            type="file"
            accept="application/json,.json"
            className="min-h-11 min-w-0 max-w-full text-base file:mr-3 file:min-h-11 file:rounded-xl file:border file:border-line file:bg-panel file:px-4 file:font-semibold file:text-text"
            onChange={(event) => void read(event.target.files?.[0])}
          />
        </div>
        <form
          method="post"
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            check.mutate(text);
          }}
        >
          <TextAreaField
            label={t('paste')}
            value={text}
            maxLength={LONGEST_RECEIPT}
            spellCheck={false}
            className="font-mono text-sm"
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" tone="primary" className="justify-self-start" isBusy={check.isPending}>
            {t('check')}
          </Button>
        </form>
      </Card>
      <div aria-live="polite">
        {check.data?.ok ? <ProvenDecisions proven={check.data} /> : null}
        {check.data && !check.data.ok ? (
          <Notice tone="danger">
            <p className="font-semibold">{t('refused')}</p>
            <p>{t(`faults.${check.data.fault}`)}</p>
          </Notice>
        ) : null}
        {check.error ? <Notice tone="danger">{t('faults.not_a_receipt')}</Notice> : null}
      </div>
    </div>
  );
}
