'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { formatMoney } from '@/lib/money';
import type { BuyView } from './buy-view';
import type { PanelSale } from './shown-sale';

/** The states of the button in which the number of units can be seen: until there is an order, or none can be had. */
const SHOWN: ReadonlySet<BuyView['kind']> = new Set<BuyView['kind']>([
  'loading',
  'scheduled',
  'opening',
  'signIn',
  'preparing',
  'challenge',
  'buy',
  'sending',
  'retrying',
  'entryRetrying',
  'locked',
  'paused',
  'unreachable',
]);

interface QuantityPickerProps {
  sale: Pick<PanelSale, 'reservation' | 'priceMinor' | 'currency'>;
  /** The most units that one purchase may ask for. */
  most: number;
  kind: BuyView['kind'];
  quantity: number;
  /** Null: it can't be changed now. */
  onChange: ((quantity: number) => void) | null;
}

/** Asks how many units to buy at once, and shows what they cost. */
export function QuantityPicker({ sale, most, kind, quantity, onChange }: QuantityPickerProps) {
  const t = useTranslations('Quantity');
  const locale = useLocale();
  const id = useId();
  /** The text as long as it is typed; null: the field shows the quantity. */
  const [typed, setTyped] = useState<string | null>(null);
  // A page that takes reservations first asks for one.
  if (!SHOWN.has(kind) || (kind === 'loading' && sale.reservation)) return null;
  const step = (by: number, name: 'fewer' | 'more') => {
    const next = quantity + by;
    return (
      <Button
        aria-label={t(name)}
        className="size-11 px-0 text-xl"
        disabled={onChange === null || next < 1 || next > most}
        onClick={() => onChange?.(next)}
      >
        {by < 0 ? '−' : '+'}
      </Button>
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <label htmlFor={id} className="w-full font-medium sm:w-auto">
        {t('label')}
      </label>
      <div className="flex items-center gap-1.5">
        {step(-1, 'fewer')}
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          className="min-h-11 w-16 rounded-xl border border-control bg-panel px-2 text-center text-base text-text tabular-nums"
          value={typed ?? String(quantity)}
          readOnly={onChange === null}
          onChange={({ target }) => {
            setTyped(target.value);
            const next = /^\d{1,4}$/.test(target.value) ? Number(target.value) : 0;
            if (next >= 1 && next <= most) onChange?.(next);
          }}
          onBlur={() => setTyped(null)}
        />
        {step(1, 'more')}
      </div>
      <output htmlFor={id} className="text-muted tabular-nums">
        {t('total', { amount: formatMoney(quantity * sale.priceMinor, sale.currency, locale) })}
      </output>
    </div>
  );
}
