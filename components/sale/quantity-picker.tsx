'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';

interface QuantityPickerProps {
  /** How many items are picked, 1 to `most`. */
  quantity: number;
  most: number;
  onPick: (quantity: number) => void;
}

/** Lets the shopper pick how many items one press buys: by typing a number, or one by one. */
export function QuantityPicker({ quantity, most, onPick }: QuantityPickerProps) {
  const t = useTranslations('Quantity');
  const id = useId();
  /** What is being typed; null: nothing, the picked number is shown. */
  const [typed, setTyped] = useState<string | null>(null);
  const step = (by: number, label: string, sign: string) => (
    <Button
      className="w-11 px-0 text-xl"
      aria-label={label}
      disabled={by < 0 ? quantity <= 1 : quantity >= most}
      onClick={() => onPick(quantity + by)}
    >
      <span aria-hidden="true">{sign}</span>
    </Button>
  );
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <label htmlFor={id} className="font-medium">
        {t('label')} <span className="font-normal text-muted">{t('most', { count: most })}</span>
      </label>
      <div className="flex items-center gap-2">
        {step(-1, t('less'), '−')}
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          className="min-h-11 w-16 rounded-xl border border-control bg-panel text-center text-base text-text tabular-nums"
          value={typed ?? quantity}
          onChange={({ target: { value } }) => {
            setTyped(value);
            const wanted = Number(value);
            if (Number.isInteger(wanted) && wanted >= 1 && wanted <= most) onPick(wanted);
          }}
          onBlur={() => setTyped(null)}
        />
        {step(1, t('more'), '+')}
      </div>
    </div>
  );
}
