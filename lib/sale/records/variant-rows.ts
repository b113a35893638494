import type { Variant } from '@/lib/contract/shapes/variant';

/** Turns a sale's variants into rows, numbered from 1. */
export const variantRows = (variants: readonly Variant[]) =>
  variants.map(({ name, stock, picture }, at) => ({ number: at + 1, name, stock, picture }));
