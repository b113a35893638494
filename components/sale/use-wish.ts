'use client';

import { useState } from 'react';
import type { Attempt, Wish } from '@/components/attempt/attempt';
import { updateAttempt } from '@/components/attempt/attempt-store';
import type { SaleState } from '@/lib/contract/shapes/sale';
import { mostUnits, type PanelSale } from './shown-sale';
import { type VariantChoice, variantChoice } from './variant-choice';

export interface ChosenVariant {
  choice: VariantChoice;
  /** Null while a purchase is under way. */
  choose: ((variant: number) => void) | null;
  /** How often the shopper has pressed the button although no variant was chosen. */
  asked: number;
}

export interface ChosenWish {
  variant: ChosenVariant;
  /** The most units that can be chosen. */
  most: number;
  quantity: number;
  /** Null while nobody may choose: signed out, a purchase is under way, or the page has not hydrated yet. */
  setQuantity: ((quantity: number) => void) | null;
  /** Goes on with the wish. If a variant has to be chosen first, asks for one. */
  settle: (goOn: (wish: Wish) => void) => void;
}

/**
 * Holds what the shopper chooses to buy. The attempt keeps it, also over a reload.
 * @param key null while no shopper is signed in: a variant can be chosen, and the picker keeps it
 * @param isHydrated false while the page has not hydrated yet
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
  const [asked, setAsked] = useState(0);
  const choice = variantChoice(variants.length, attempt.variant || seen, state?.stock.variants, waitlist);
  const most = mostUnits(sale, choice.left, state?.stock.total);
  const quantity = attempt.isPending ? attempt.quantity : Math.min(attempt.quantity, most);
  const choose = (variant: number) => {
    setAsked(0);
    setSeen(variant);
    if (key) updateAttempt(key, { variant, refusal: null });
  };
  return {
    variant: { choice, choose: attempt.isPending ? null : choose, asked },
    most,
    quantity,
    setQuantity:
      key === null || !isHydrated || attempt.isPending
        ? null
        : (units) => updateAttempt(key, { quantity: units, refusal: null }),
    settle: (goOn) => {
      if (choice.isMissing) setAsked(asked + 1);
      else goOn({ quantity, variant: choice.variant });
    },
  };
}
