'use client';

import { Suspense } from 'react';
import type { PanelSale } from '@/components/sale/shown-sale';
import type { ChosenVariant } from '@/components/sale/use-wish';
import { later } from '@/components/ui/later';
import type { WaitlistPlace } from '@/lib/contract/shapes/waitlist';

const VariantPicker = later(async () => (await import('@/components/sale/variant-picker')).VariantPicker);

interface WishPickerProps {
  sale: PanelSale;
  /** Units left of each; undefined while that is not known. */
  left: readonly number[] | undefined;
  chosen: ChosenVariant;
  /** The shopper wishes one already, whatever this tab remembers of a choice before signing in. */
  isEntered?: boolean;
  /** The shopper's place on the waitlist; null or left out: not known. */
  place?: WaitlistPlace | null;
}

/** Lets the shopper choose what to wish, whatever is left of it. Nothing where the sale has no variants. */
export function WishPicker({ sale, left, chosen, isEntered = false, place }: WishPickerProps) {
  if (sale.variants.length === 0) return null;
  return (
    <Suspense fallback={<div className="min-h-11" />}>
      <VariantPicker
        variants={sale.variants}
        saleId={isEntered ? undefined : sale.saleId}
        left={left}
        kind="buy"
        canWait
        place={place}
        {...chosen}
      />
    </Suspense>
  );
}
