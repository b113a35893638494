'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { StockView } from '@/lib/contract/shapes/sale';
import { WaitsNotice } from '../approvals/waits-notice';
import { useTell } from '../kit/use-tell';

interface StockFormProps {
  saleId: string;
  stock: StockView;
  onChange: () => void;
  /** The stock was changed. */
  onDone: () => void;
}

/** Adds pieces to a sale or takes unsold ones away, with what that makes of the numbers. */
export function StockForm({ saleId, stock, onChange, onDone }: StockFormProps) {
  const t = useTranslations('Admin');
  const words = useTranslations('AdminDone');
  const mayChange = useMay('manageSales');
  const [delta, setDelta] = useState('');
  const [reason, setReason] = useState('');
  /** Kept until it is done: whoever got no answer and presses again changes the stock once. */
  const [requestId, setRequestId] = useState(newRequestId);
  const tell = useTell(onChange);
  const postStock = (body: { delta: number; reason: string; requestId: string }) =>
    request('POST /api/admin/sales/{saleId}/stock', { params: { saleId }, body });
  const change = useMutation({
    mutationFn: postStock,
    onSuccess: (answer, made) => {
      setRequestId(newRequestId());
      setDelta('');
      setReason('');
      if ('status' in answer) return;
      onDone();
      const { total } = answer.stock;
      if (made.delta < 0) return tell(words('stockTaken', { count: -made.delta, total }));
      const back = {
        delta: -made.delta,
        requestId: newRequestId(),
        reason: words('undoReason', { reason: made.reason }).slice(0, 500),
      };
      tell(words('stockAdded', { count: made.delta, total }), {
        request: () => postStock(back),
        text: words('stockTaken', { count: made.delta, total: total - made.delta }),
      });
    },
    onSettled: onChange,
  });
  if (!mayChange) return null;
  const by = /^[-−]?\d{1,9}$/.test(delta.trim()) ? Number(delta.trim().replace('−', '-')) : 0;
  const isTooLow = stock.available + by < 0;
  return (
    <div className="grid content-start gap-4">
      <TextField
        label={t('delta')}
        inputMode="numeric"
        value={delta}
        onChange={(event) => setDelta(event.target.value)}
        error={isTooLow ? t('stockTooLow', { available: stock.available }) : null}
      />
      <TextField
        label={t('reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
      />
      <ConfirmDialog
        trigger={
          <Button
            className="justify-self-start"
            isBusy={change.isPending}
            disabled={by === 0 || isTooLow || reason.trim() === ''}
          >
            {t('apply')}
          </Button>
        }
        title={t('stockTitle')}
        text={t('stockText', {
          total: stock.total,
          newTotal: stock.total + by,
          available: stock.available,
          newAvailable: stock.available + by,
        })}
        confirmLabel={t('confirm')}
        keepLabel={t('keep')}
        isDangerous={by < 0}
        onConfirm={() => change.mutate({ delta: by, reason: reason.trim(), requestId })}
      />
      <Problem error={change.error} />
      <div role="status" className="-mt-4 not-empty:mt-0">
        {change.data && 'status' in change.data ? <WaitsNotice /> : null}
      </div>
    </div>
  );
}
