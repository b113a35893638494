/** A shopper's choice among a sale's variants. */
export interface VariantChoice {
  /** From 1; 0: none is chosen, or the sale has none. */
  variant: number;
  /** The chosen one's units left; null: not known. */
  left: number | null;
  /** The chosen one is sold out and can't be waited for, and others are not. */
  isGone: boolean;
  /** Units of another variant are left. */
  hasOthers: boolean;
  /** The sale has variants, and none that can be bought is chosen. */
  isMissing: boolean;
}

/**
 * Says how a choice stands. A sale with one variant needs none.
 * @param count how many variants the sale has; 0: none
 * @param wanted the variant that the shopper chose, from 1; 0: none
 * @param left the units left of each; undefined while that is not known
 * @param canWait shoppers may wait for one that is sold out
 */
export function variantChoice(
  count: number,
  wanted: number,
  left: readonly number[] | undefined,
  canWait = false,
): VariantChoice {
  const variant = count === 1 ? 1 : wanted <= count ? wanted : 0;
  const ownLeft = left?.[variant - 1] ?? null;
  const hasOthers = left?.some((units, index) => units > 0 && index + 1 !== variant) ?? false;
  const isGone = ownLeft === 0 && hasOthers && !canWait;
  return { variant, left: ownLeft, isGone, hasOthers, isMissing: count > 0 && (variant === 0 || isGone) };
}
