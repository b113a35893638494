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
  /** Keeps the choice over signing in. */
  isKept?: boolean;
  /** The shopper's place on the waitlist; null or left out: not known. */
  place?: WaitlistPlace | null;
}

/** Lets the shopper choose what to wish, whatever is left of it. Nothing where the sale has no variants. */
export function WishPicker({ sale, left, chosen, isKept = false, place }: WishPickerProps) {
  if (sale.variants.length === 0) return null;
  return (
    <Suspense fallback={<div className="min-h-11" />}>
      <VariantPicker
        variants={sale.variants}
        saleId={isKept ? sale.saleId : undefined}
        left={left}
        kind="buy"
        canWait
        place={place}
        {...chosen}
      />
    </Suspense>
  );
}
