'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { OrderDetail } from '@/lib/contract/shapes/order';
import { formatMoney, parseMoney } from '@/lib/money';
import { useAction } from '../kit/use-action';

const MAX_PRICE_MINOR = 1_000_000_000;

interface PriceFormProps {
  order: OrderDetail;
  refresh: () => Promise<void>;
}

/** The state that the change is based on: the order when the user typed the first letter. */
type Base = { priceMinor: number; version: number };

/**
 * Changes the price of an unpaid order. If another user changed it meanwhile, the form shows both prices and the user
 * chooses one.
 */
export function PriceForm({ order, refresh }: PriceFormProps) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const { orderNo, unitPriceMinor, version, quantity, currency } = order;
  const [text, setText] = useState('');
  const [base, setBase] = useState<Base | null>(null);
  const clear = () => {
    setText('');
    setBase(null);
  };
  const change = useAction('PATCH /api/admin/orders/{orderNo}', {
    onDone: clear,
    // Also after a conflict, because the form then shows the current price too.
    refresh,
  });
  const put = (body: Base) => change.mutate({ params: { orderNo }, body });
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const mine = parseMoney(text, currency);
  const isValid = mine !== null && mine > 0 && mine <= MAX_PRICE_MINOR;
  const isConflict = problemCode(change.error) === 'VERSION_CONFLICT' && !change.isPending;
  const type = (value: string) => {
    setText(value);
    setBase((known) => known ?? { priceMinor: unitPriceMinor, version });
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && base) put({ priceMinor: mine, version: base.version });
  };
  const keepTheirs = () => {
    clear();
    change.reset();
  };
  return (
    <>
      <form method="post" onSubmit={send} className="grid gap-4">
        <TextField
          label={t('newPrice')}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={({ target }) => type(target.value)}
          hint={
            isValid
              ? t('priceText', { from: money(order.amountMinor), to: money(mine * quantity), quantity })
              : t('priceNow', { price: money(unitPriceMinor) })
          }
          error={text !== '' && !isValid ? t('priceWrong') : null}
        />
        {isConflict ? null : (
          <Button type="submit" className="justify-self-start" isBusy={change.isPending} disabled={!isValid}>
            {t('changePrice')}
          </Button>
        )}
      </form>
      {isConflict && mine !== null && base ? (
        <PriceConflict
          order={order}
          base={base}
          mine={mine}
          onKeepTheirs={keepTheirs}
          onUseMine={() => put({ priceMinor: mine, version })}
        />
      ) : null}
      <Problem error={isConflict ? null : change.error} />
      <p role="status" className="text-success">
        {change.isSuccess && base === null ? t('priceChanged', { price: money(unitPriceMinor) }) : ''}
      </p>
    </>
  );
}

interface PriceConflictProps {
  /** The order as it is now. */
  order: OrderDetail;
  base: Base;
  /** The price that this user wants, in minor units. */
  mine: number;
  onKeepTheirs: () => void;
  onUseMine: () => void;
}

/** Shows what the price was, is, and would be. The user chooses one of the last two. */
function PriceConflict({ order, base, mine, onKeepTheirs, onUseMine }: PriceConflictProps) {
  const t = useTranslations('AdminOrders');
  const locale = useLocale();
  const money = (minor: number) => formatMoney(minor, order.currency, locale);
  const prices = [
    ['conflictBase', base.priceMinor, base.version],
    ['conflictTheirs', order.unitPriceMinor, order.version],
    ['conflictMine', mine, null],
  ] as const;
  return (
    <Notice tone="warning" role="alert">
      <p className="font-semibold">{t('conflict')}</p>
      <dl className="mt-3 grid grid-cols-3 gap-3 text-text tabular-nums">
        {prices.map(([label, minor, version]) => (
          <div key={label} className="grid content-start">
            <dt className="text-sm">{t(label)}</dt>
            <dd className="font-semibold text-lg">{money(minor)}</dd>
            <dd className="text-sm">{version === null ? '' : t('versionNr', { version })}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={onKeepTheirs}>{t('keepTheirs', { price: money(order.unitPriceMinor) })}</Button>
        <Button onClick={onUseMine}>{t('useMine', { price: money(mine) })}</Button>
      </div>
    </Notice>
  );
}
