'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SelectField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { ShopView } from '@/lib/contract/shapes/team';
import { MAX_SHIPPING_RULES } from '@/lib/contract/words/delivery';
import { FORM_CURRENCIES } from '../kit/form-currencies';
import { moved } from '../kit/moved';
import { RowButtons, type RowButtonsProps } from '../kit/row-buttons';
import { useAction } from '../kit/use-action';
import { useTouched } from '../kit/use-touched';
import { newShipping, readShipping, type ShippingValues, toShippingValues } from './shipping-values';

interface ShippingFormProps {
  shop: Pick<ShopView, 'shopId' | 'shipping' | 'version'>;
  onSaved: (shop: ShopView) => void;
  onChange: () => Promise<void>;
}

/** Asks what a parcel costs: rules of which the first that fits counts. */
export function ShippingForm({ shop: { shopId, shipping, version }, onSaved, onChange }: ShippingFormProps) {
  const t = useTranslations('AdminShop.shipping');
  // Each row has an id of its own, which must stay.
  const saved = useMemo(() => ({ rows: toShippingValues(shipping) }), [shipping]);
  const { values, isOvertaken, touch, settle } = useTouched(saved);
  const { rows } = values;
  const setRows = (next: ShippingValues[]) => touch({ rows: next });
  const [isTried, setIsTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const read = rows.map(readShipping);
  const firstWrong = read.findIndex((row) => 'wrong' in row);
  const save = useAction('PATCH /api/admin/shops/{shopId}', {
    says: () => ({ text: t('saved') }),
    onDone: (shop) => {
      settle();
      onSaved(shop);
    },
    refresh: onChange,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (firstWrong >= 0) return;
    const rules = read.flatMap((row) => ('rule' in row ? [row.rule] : []));
    save.mutate({ params: { shopId }, body: { shipping: rules, version } });
  };
  useEffect(() => {
    if (isTried) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [isTried]);
  return (
    <Card className="p-5">
      <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('heading')}</h2>
        <p className="max-w-prose text-muted">{t('help')}</p>
        {rows.length > 0 ? (
          <ol className="grid gap-3">
            {rows.map((row, index) => {
              const result = read[index];
              return (
                <ShippingRow
                  key={row.id}
                  row={row}
                  number={index + 1}
                  isLast={index === rows.length - 1}
                  wrong={isTried && result && 'wrong' in result ? result.wrong : null}
                  onChange={(change) => {
                    setIsTried(false);
                    setRows(rows.map((each) => (each === row ? { ...each, ...change } : each)));
                  }}
                  onMove={(by) => setRows(moved(rows, index, by))}
                  onRemove={() => setRows(rows.filter((each) => each !== row))}
                />
              );
            })}
          </ol>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button
            disabled={rows.length >= MAX_SHIPPING_RULES}
            onClick={() => setRows([...rows, newShipping(rows.at(-1)?.currency ?? 'EUR')])}
          >
            {t('add')}
          </Button>
          <Button type="submit" tone="primary" isBusy={save.isPending}>
            {t('save')}
          </Button>
        </div>
        <Problem error={save.error ?? (isOvertaken ? 'VERSION_CONFLICT' : null)} />
      </form>
    </Card>
  );
}

interface ShippingRowProps extends Pick<RowButtonsProps, 'isLast' | 'onMove' | 'onRemove'> {
  row: ShippingValues;
  /** From 1. */
  number: number;
  wrong: 'countries' | 'maxGrams' | 'price' | null;
  onChange: (change: Partial<ShippingValues>) => void;
}

/** Asks for one rule, and moves or removes it. */
function ShippingRow({ row, number, isLast, wrong, onChange, onMove, onRemove }: ShippingRowProps) {
  const t = useTranslations('AdminShop.shipping');
  const text = (name: 'countries' | 'maxGrams' | 'price') => ({
    label: t(name),
    value: row[name],
    error: wrong === name ? t(`wrong.${name}`) : null,
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  });
  return (
    <li className="rounded-card border border-line p-3 sm:p-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a grid in every browser */}
      <div role="group" aria-label={t('one', { number })} className="grid gap-3 sm:grid-cols-2">
        <TextField {...text('countries')} hint={t('countriesHint')} maxLength={1000} autoComplete="off" />
        <TextField {...text('maxGrams')} hint={t('maxGramsHint')} inputMode="numeric" />
        <TextField {...text('price')} inputMode="decimal" />
        <SelectField
          label={t('currency')}
          value={row.currency}
          onChange={({ target }) => onChange({ currency: target.value })}
        >
          {[...new Set([...FORM_CURRENCIES, row.currency])].map((code) => (
            <option key={code} value={code}>
              {code}
            </option>
          ))}
        </SelectField>
        <RowButtons
          name={t('one', { number })}
          isFirst={number === 1}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
    </li>
  );
}
