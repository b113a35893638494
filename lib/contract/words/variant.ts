/** The most variants of a sale, and characters of a variant's name. */
export const MAX_VARIANTS = 20;
export const MAX_VARIANT_NAME = 60;

/** Tells whether a request may name this variant: one that the sale has, or 0 where it has none. */
export const hasVariant = (variants: readonly unknown[], variant: number): boolean =>
  variants.length === 0 ? variant === 0 : variant >= 1 && variant <= variants.length;
