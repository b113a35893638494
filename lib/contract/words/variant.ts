/** The most variants of a sale, and characters of a variant's name. */
export const MAX_VARIANTS = 20;
export const MAX_VARIANT_NAME = 60;

/** Returns the numbers by which purchases and places name a sale's variants: 0 alone where it has none. */
export const variantNumbers = (variants: readonly unknown[]): number[] =>
  variants.length === 0 ? [0] : variants.map((_, at) => at + 1);

/** Tells whether a request may name this variant: one that the sale has, or 0 where it has none. */
export const hasVariant = (variants: readonly unknown[], variant: number): boolean =>
  variants.length === 0 ? variant === 0 : variant >= 1 && variant <= variants.length;
