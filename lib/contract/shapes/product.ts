import { z } from 'zod';
import {
  MAX_ATTRIBUTE_NAME,
  MAX_ATTRIBUTE_VALUE,
  MAX_ATTRIBUTES,
  MAX_SLUG_LENGTH,
  MAX_WEIGHT_GRAMS,
  PRODUCT_STATUSES,
  SLUG,
} from '../words/product';
import { byLanguage } from './by-language';
import { forShop, requestId, taxRate } from './common';
import { productDelivery } from './delivery';
import { picture, pictures } from './picture';

const name = z.string().trim().min(1).max(200);
const description = z.string().trim().max(10_000);
const attributes = z
  .record(z.string().min(1).max(MAX_ATTRIBUTE_NAME), z.string().max(MAX_ATTRIBUTE_VALUE))
  .refine((value) => Object.keys(value).length <= MAX_ATTRIBUTES, `at most ${MAX_ATTRIBUTES} attributes`);

const texts = byLanguage(z.strictObject({ name, description, attributes }).partial()).describe(
  'Name, description and attributes in some of the languages of the shop; what is left out there is that of all others.',
);
export type ProductTexts = z.output<typeof texts>;

export const product = z
  .object({
    productId: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.enum(PRODUCT_STATUSES).describe('Only active ones are sold by new sales.'),
    description: z.string(),
    imageUrl: z.string().nullable(),
    pictures: z.array(picture).describe('Its own ones, first to last; the first is `imageUrl`, too.'),
    attributes: z.record(z.string(), z.string()),
    texts,
    delivery: productDelivery.nullable().describe('How it reaches its buyer; null: nothing is said.'),
    taxRate: taxRate.nullable().describe('Null: nothing is said.'),
    weightGrams: z.int().nullable(),
    version: z.int(),
  })
  .meta({ id: 'Product' });

export type Product = z.output<typeof product>;

/** A path on this site or an http(s) address; never `javascript:` or `data:`. */
const imageUrl = z
  .string()
  .max(2000)
  .refine(
    (value) => /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value)),
    'a path such as /products/x.svg or an http(s) address',
  );

const fields = {
  name,
  description,
  imageUrl: imageUrl.nullish(),
  pictures: pictures.optional(),
  attributes: attributes.optional(),
  texts: texts.optional(),
  delivery: productDelivery.nullish(),
  taxRate: taxRate.nullish(),
  weightGrams: z.int().min(1).max(MAX_WEIGHT_GRAMS).nullish(),
};

export const newProduct = z.object({
  slug: z.string().max(MAX_SLUG_LENGTH).regex(SLUG, 'lower-case letters, digits and single hyphens only'),
  ...fields,
  shopId: forShop,
  requestId,
});
export type CreateProductInput = z.output<typeof newProduct>;

export const productEdit = z.object({ ...fields, version: z.number().int().min(1) }).partial({
  name: true,
  description: true,
});
export type EditProductInput = z.output<typeof productEdit>;

/** Which products to list; fields left out don't filter. */
export const productFilter = z.object({
  status: z.enum(PRODUCT_STATUSES).optional(),
  q: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Part of the name in any language, or a whole id or slug.'),
});
export type ProductFilter = z.output<typeof productFilter>;
