'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { SelectField, TextField } from '@/components/ui/field';
import { Said } from '@/components/ui/said';
import type { Situation } from '@/lib/contract/shapes/live';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { MAX_REASON_LENGTH } from '@/lib/contract/words/reason';
import { cutText, isolated } from '@/lib/human-text';
import { WaitsNotice } from '../approvals/waits-notice';
import { ReasonForm } from '../kit/reason-form';
import { useAction } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';

interface StockFormProps {
  sale: Pick<SaleInfo, 'saleId' | 'variants'>;
  stock: NonNullable<Situation['stock']>;
  onChange: () => void;
  /** Called when the stock was changed. */
  onDone: () => void;
}

/** Adds units to a sale, or to one of its variants, or takes unsold ones away, and shows the numbers that follow. */
export function StockForm({ sale: { saleId, variants }, stock, onChange, onDone }: StockFormProps) {
  const t = useTranslations('Admin');
  const words = useTranslations('AdminDone');
  const mayChange = useMayInShop('stock');
  const [delta, setDelta] = useState('');
  /** From 1; 0: none is chosen. */
  const [variant, setVariant] = useState(variants.length === 1 ? 1 : 0);
  /** Kept until the change is done. A merchant who got no answer and presses again changes the stock only once. */
  const [requestId, setRequestId] = useState(newRequestId);
  const change = useAction('POST /api/admin/sales/{saleId}/stock', {
    onDone: (answer) => {
      setRequestId(newRequestId());
      setDelta('');
      if (!('status' in answer)) onDone();
    },
    says: (answer, { params, body: made }) => {
      if ('status' in answer) return null;
      const { total } = answer.stock;
      if (made.delta < 0) return { text: words('stockTaken', { count: -made.delta, total }) };
      const body = {
        delta: -made.delta,
        variant: made.variant,
        requestId: newRequestId(),
        reason: cutText(words('undoReason', { reason: made.reason }), MAX_REASON_LENGTH),
      };
      return {
        text: words('stockAdded', { count: made.delta, total }),
        undo: {
          request: () => request('POST /api/admin/sales/{saleId}/stock', { params, body }),
          text: words('stockTaken', { count: made.delta, total: total - made.delta }),
        },
      };
    },
    // The change before it was made, although its answer got lost: what is pressed next is another one.
    onError: (error) => {
      if (problemCode(error) === 'CREATED_OTHERWISE') setRequestId(newRequestId());
    },
    refresh: onChange,
  });
  if (!mayChange) return null;
  const by = /^[-−]?\d{1,9}$/.test(delta.trim()) ? Number(delta.trim().replace('−', '-')) : 0;
  const { total } = stock;
  const name = variants[variant - 1]?.name;
  const isOpen = variants.length > 0 && name === undefined;
  const available = name === undefined ? stock.available : (stock.variants?.[variant - 1] ?? 0);
  const isTooLow = !isOpen && available + by < 0;
  const numbers = { total, newTotal: total + by, available, newAvailable: available + by };
  return (
    <div className="grid content-start gap-4">
      <ReasonForm
        round={requestId}
        action={change}
        button={t('apply')}
        disabled={by === 0 || isTooLow || isOpen}
        ask={{
          title: t('stockTitle'),
          text:
            name === undefined
              ? t('stockText', numbers)
              : t('stockTextVariant', { name: isolated(name), ...numbers }),
          isDangerous: by < 0,
        }}
        onSend={({ reason }) =>
          change.mutate({
            params: { saleId },
            body: { delta: by, variant: variant || undefined, reason, requestId },
          })
        }
      >
        {variants.length > 0 ? (
          <SelectField
            label={t('variant')}
            value={variant}
            onChange={({ target }) => setVariant(Number(target.value))}
          >
            <option value={0}>{t('variantChoose')}</option>
            {variants.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its number
              <option key={index} value={index + 1}>
                {t('variantLeft', { name: isolated(each.name), count: stock.variants?.[index] ?? 0 })}
              </option>
            ))}
          </SelectField>
        ) : null}
        <TextField
          label={t('delta')}
          inputMode="numeric"
          value={delta}
          onChange={(event) => setDelta(event.target.value)}
          error={isTooLow ? t('stockTooLow', { available }) : null}
        />
      </ReasonForm>
      <Said>{change.data && 'status' in change.data ? <WaitsNotice /> : null}</Said>
    </div>
  );
}
