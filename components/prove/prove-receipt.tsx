'use client';

import '@/lib/zod-without-eval';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type DragEvent, Suspense, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useIsClient } from '@/components/ui/use-is-client';
import { checkOrderFile, LONGEST_LIST } from '@/lib/decision-log/proof/check-order-file';
import { checkReceipt, LONGEST_RECEIPT } from '@/lib/decision-log/proof/check-receipt';
import { GatherList } from './gather-list';
import { ProvenDecisions } from './proven-decisions';
import { ProvenOrder } from './proven-order';

/** Checks a file of either kind. A list is no receipt, so whatever is none is looked at as a list. */
async function check(text: string) {
  const receipt = await checkReceipt(text);
  if (receipt.ok || receipt.fault !== 'not_a_receipt') return { receipt, order: null };
  const order = await checkOrderFile(text);
  return order.ok || order.fault !== 'not_a_list' ? { receipt: null, order } : { receipt, order: null };
}

/**
 * Checks a receipt, or the list of a line or draw, in the browser: it is chosen, dropped, pasted or, with `?sale=`, gathered
 * from the shop. It leaves the device for nobody.
 */
export function ProveReceipt() {
  const t = useTranslations('Prove');
  const fileId = useId();
  const isClient = useIsClient();
  const [text, setText] = useState('');
  const checking = useMutation({ mutationFn: check });
  const { receipt, order } = checking.data ?? {};
  const read = async (file: File | undefined) => {
    if (!file) return;
    // Larger ones are none of ours, and need not be read.
    const content = file.size > LONGEST_LIST ? '' : await file.text();
    // A text area with millions of characters makes browsers slow.
    setText(content.length > LONGEST_RECEIPT ? '' : content);
    checking.mutate(content);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  if (isClient && !window.isSecureContext) return <Notice tone="warning">{t('insecure')}</Notice>;
  return (
    <div className="grid gap-6">
      <Suspense>
        <ListOfSale onCheck={checking.mutate} />
      </Suspense>
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
            checking.mutate(text);
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
          <Button type="submit" tone="primary" className="justify-self-start" isBusy={checking.isPending}>
            {t('check')}
          </Button>
        </form>
      </Card>
      <div aria-live="polite">
        {receipt?.ok ? <ProvenDecisions proven={receipt} /> : null}
        {receipt && !receipt.ok ? (
          <Notice tone="danger">
            <p className="font-semibold">{t('refused')}</p>
            <p>{t(`faults.${receipt.fault}`)}</p>
          </Notice>
        ) : null}
        {order?.ok ? <ProvenOrder proven={order} /> : null}
        {order && !order.ok ? (
          <Notice tone="danger">
            <p className="font-semibold">{t('list.refused')}</p>
            <p>{t(`list.faults.${order.fault}`)}</p>
            {order.number === null ? null : <p>{t('list.at', { number: order.number + 1 })}</p>}
          </Notice>
        ) : null}
        {checking.error ? <Notice tone="danger">{t('faults.not_a_receipt')}</Notice> : null}
      </div>
    </div>
  );
}

/** Offers the list of the sale that the address names. Whoever comes by a link within the shop has the address after the page. */
function ListOfSale({ onCheck }: { onCheck: (text: string) => void }) {
  const saleId = useSearchParams().get('sale');
  return saleId ? <GatherList saleId={saleId} onCheck={onCheck} /> : null;
}
