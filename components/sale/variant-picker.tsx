'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef } from 'react';
import { cn } from '@/components/ui/cn';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';
import { mediaPath } from '@/lib/contract/words/media';
import { isolated } from '@/lib/human-text';
import type { BuyView } from './buy-view';
import { keepChoice, readKeptChoice } from './kept-choice';
import { Picture } from './picture';
import { showPicture } from './show-picture';
import type { PanelSale } from './shown-sale';
import type { useBuy } from './use-buy';
import type { ChosenVariant } from './use-wish';

/** The states of the button in which there is nothing to choose: the shopper has bought, can't buy, or the sale is over. */
const HIDDEN: ReadonlySet<BuyView['kind']> = new Set<BuyView['kind']>([
  'deciding',
  'waiting',
  'pay',
  'lapsing',
  'owned',
  'ended',
  'notEligible',
  'notReserved',
]);

interface VariantPickerProps extends ChosenVariant {
  variants: PanelSale['variants'];
  /** Left out: the choice is not kept over signing in. */
  saleId?: string;
  /** Units left of each; undefined while that is not known. */
  left: readonly number[] | undefined;
  kind: BuyView['kind'];
  /** Shoppers may choose one that is sold out, to wait for it. */
  canWait?: boolean;
  /** The shopper's place on the waitlist; null or left out: not known. */
  place?: WaitlistPlace | null;
}

/**
 * Lets the shopper choose one of a sale's variants. A sold-out one stays in its place, says so, and keeps the keyboard's
 * focus, but can be chosen only to wait for it, where that is possible. Takes the focus when the shopper is asked.
 */
export function VariantPicker(props: VariantPickerProps) {
  const { variants, saleId, left, kind, choice, choose, asked, canWait = false } = props;
  const t = useTranslations('Variant');
  const id = useId();
  const picker = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asked > 0) picker.current?.querySelector<HTMLElement>('input:not([aria-disabled])')?.focus();
  }, [asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the picker comes or begins to keep the choice
  useEffect(() => {
    const kept = saleId === undefined ? 0 : readKeptChoice(saleId);
    if (kept > 0 && choice.variant === 0) choose?.(kept);
  }, [saleId]);
  if (HIDDEN.has(kind)) return null;
  const awaited = props.place?.state === 'waiting' ? variants[props.place.variant - 1] : undefined;
  const gone = choice.isGone ? variants[choice.variant - 1] : undefined;
  const isAsking = asked > 0 && kind !== 'soldOut';
  const said = gone ? t('gone', { name: isolated(gone.name) }) : isAsking ? t('ask') : null;
  return (
    <div
      ref={picker}
      role="radiogroup"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-said`}
      aria-invalid={said !== null || undefined}
      className="grid gap-2"
    >
      <p id={`${id}-label`} className="font-medium">
        {t('label')}
      </p>
      <div className="flex flex-wrap gap-2">
        {variants.map(({ name, picture }, index) => (
          <Choice
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its number
            key={index}
            group={id}
            name={name}
            picture={picture}
            left={left?.[index] ?? null}
            canWait={canWait}
            isChosen={choice.variant === index + 1 && !choice.isGone}
            onChoose={() => {
              if (saleId !== undefined) keepChoice(saleId, index + 1);
              choose?.(index + 1);
              showPicture(picture);
            }}
          />
        ))}
      </div>
      {/* Exists before its text does: otherwise screen readers would not announce the text. */}
      <p id={`${id}-said`} role="status" className="font-medium text-danger empty:absolute">
        {said}
      </p>
      {awaited ? <p className="text-muted">{t('awaited', { name: isolated(awaited.name) })}</p> : null}
    </div>
  );
}

/** Lets the shopper choose on the page of a sale that is no draw. */
export function SaleVariants({ sale, buying }: { sale: PanelSale; buying: Buying }) {
  const { wish, live, view, place } = buying;
  return (
    <VariantPicker
      variants={sale.variants}
      saleId={sale.saleId}
      left={live.state?.stock.variants}
      kind={view.kind}
      canWait={sale.waitlist}
      place={place}
      {...wish.variant}
    />
  );
}
type Buying = Pick<ReturnType<typeof useBuy>, 'wish' | 'live' | 'view' | 'place'>;

interface ChoiceProps {
  group: string;
  name: string;
  picture: string | null;
  left: number | null;
  canWait: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Choice({ group, name, picture, left, canWait, isChosen, onChoose }: ChoiceProps) {
  const t = useTranslations('Variant');
  const isOut = left === 0 && !canWait;
  return (
    <label
      className={cn(
        'flex min-h-11 min-w-0 max-w-full items-center gap-2.5 rounded-xl border px-3 py-1.5',
        'has-checked:border-text has-checked:ring-1 has-checked:ring-text',
        isOut
          ? 'cursor-not-allowed border-line border-dashed bg-sunken text-muted forced-colors:border-[GrayText] forced-colors:text-[GrayText]'
          : 'cursor-pointer border-control bg-panel hover:bg-sunken',
      )}
    >
      <input
        type="radio"
        name={group}
        className="size-5 shrink-0 accent-text"
        checked={isChosen}
        aria-disabled={isOut || undefined}
        onChange={isOut ? undefined : onChoose}
        readOnly={isOut}
      />
      {picture ? (
        <span className="w-12 shrink-0">
          <Picture src={mediaPath(picture, 320, 'webp')} className="rounded-lg" />
        </span>
      ) : null}
      <span className="grid min-w-0">
        <bdi className={cn('wrap-anywhere', isOut && 'line-through')}>{name}</bdi>
        <span className={cn('text-sm tabular-nums', !isOut && 'text-muted')}>
          {left === null ? '\u00a0' : t(left > 0 ? 'left' : isOut ? 'soldOut' : 'toWaitFor', { count: left })}
        </span>
      </span>
    </label>
  );
}
