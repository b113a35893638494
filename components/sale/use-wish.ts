'use client';

import { type RefObject, useRef, useState } from 'react';
import type { Attempt, Wish } from '@/components/attempt/attempt';
import { updateAttempt } from '@/components/attempt/attempt-store';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { mostUnits, type PanelSale } from './shown-sale';
import { type VariantChoice, variantChoice } from './variant-choice';

export interface ChosenVariant {
  choice: VariantChoice;
  /** Null while a purchase is under way. */
  choose: ((variant: number) => void) | null;
  /** The shopper pressed the button although no variant was chosen. */
  isAsked: boolean;
  picker: RefObject<HTMLDivElement | null>;
}

export interface ChosenWish {
  variant: ChosenVariant;
  /** The most units that can be chosen. */
  most: number;
  quantity: number;
  /** Null while nobody may choose: signed out, a purchase is under way, or the page still has to look as the server made it. */
  setQuantity: ((quantity: number) => void) | null;
  /** Goes on with the wish. If a variant has to be chosen first, asks for one and moves the focus there. */
  settle: (goOn: (wish: Wish) => void) => void;
}

/**
 * Holds what the shopper chooses to buy. The attempt keeps it, also over a reload.
 * @param key null while no shopper is signed in: a variant can be chosen, and the picker keeps it
 * @param isHydrated false while the page still has to look as the server made it
 */
export function useWish(
  sale: PanelSale,
  key: string | null,
  attempt: Attempt,
  state: SaleState | null,
  isHydrated: boolean,
): ChosenWish {
  const { variants, waitlist } = sale;
  const [seen, setSeen] = useState(0);
  const [isAsked, setIsAsked] = useState(false);
  const picker = useRef<HTMLDivElement>(null);
  const choice = variantChoice(variants.length, attempt.variant || seen, state?.stock.variants, waitlist);
  const most = mostUnits(sale, choice.left);
  const quantity = attempt.isPending ? attempt.quantity : Math.min(attempt.quantity, most);
  const choose = (variant: number) => {
    setIsAsked(false);
    setSeen(variant);
    if (key) updateAttempt(key, { variant, refusal: null });
  };
  return {
    variant: { choice, choose: attempt.isPending ? null : choose, isAsked, picker },
    most,
    quantity,
    setQuantity:
      key === null || !isHydrated || attempt.isPending
        ? null
        : (units) => updateAttempt(key, { quantity: units, refusal: null }),
    settle: (goOn) => {
      if (!choice.isMissing) return goOn({ quantity, variant: choice.variant });
      setIsAsked(true);
      picker.current?.querySelector<HTMLElement>('input:not([aria-disabled])')?.focus();
    },
  };
}
