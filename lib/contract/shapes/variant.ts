import { z } from 'zod';
import { MAX_VARIANT_NAME, MAX_VARIANTS } from '../words/variant';
import { picture } from './picture';
import { MAX_STOCK } from './sale-fields';

export const variant = z
  .object({
    name: z.string().trim().min(1).max(MAX_VARIANT_NAME),
    stock: z.number().int().min(0).max(MAX_STOCK).describe('Units of it in all, sold ones included.'),
    picture: picture.shape.hash.nullable().describe("One of the product's own pictures, by its hash."),
  })
  .meta({ id: 'Variant' });

/** One of the things that a sale sells, such as a size. Its number is its place in the sale's list, from 1. */
export type Variant = z.output<typeof variant>;

/** A sale's variants in order; empty: it has none. */
export const variants = z
  .array(variant)
  .max(MAX_VARIANTS)
  .refine(
    (list) => new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
    'each name once',
  );
