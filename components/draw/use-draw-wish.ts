'use client';

import { useState } from 'react';
import type { PanelSale } from '@/components/sale/shown-sale';
import type { ChosenVariant } from '@/components/sale/use-wish';
import { variantChoice } from '@/components/sale/variant-choice';

/**
 * Holds which variant the shopper wishes. Each can be wished, whatever is left of it.
 * @param left units left of each; undefined while that is not known
 * @param own the one that is wished already; 0: none
 */
export function useDrawWish(
  { variants }: Pick<PanelSale, 'variants'>,
  left: number[] | undefined,
  own: number,
) {
  const [seen, setSeen] = useState(0);
  const [asked, setAsked] = useState(0);
  const choice = variantChoice(variants.length, seen || own, left, true);
  const chosen: ChosenVariant = {
    choice,
    choose: (variant) => {
      setAsked(0);
      setSeen(variant);
    },
    asked,
  };
  return {
    chosen,
    variant: choice.variant,
    /** Goes on with the choice. If one has to be made first, asks for one. */
    settle: (goOn: (variant: number) => void) => {
      if (choice.isMissing) setAsked(asked + 1);
      else goOn(choice.variant);
    },
  };
}
