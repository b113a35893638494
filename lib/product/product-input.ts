import { z } from 'zod';

const MAX_ATTRIBUTES = 30;

/** Lower-case words joined by hyphens. */
export const slugSchema = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single hyphens only');

/** A path on this site or an http(s) address; never `javascript:` or `data:`. */
const imageUrlSchema = z
  .string()
  .max(2000)
  .refine(
    (value) => /^\/(?!\/)/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value)),
    'a path such as /products/x.svg or an http(s) address',
  );

const productFields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(10_000),
  imageUrl: imageUrlSchema.nullish(),
  attributes: z
    .record(z.string().min(1).max(60), z.string().max(500))
    .refine((value) => Object.keys(value).length <= MAX_ATTRIBUTES, `at most ${MAX_ATTRIBUTES} attributes`)
    .optional(),
};

export const createProductSchema = z.object({ slug: slugSchema, ...productFields });
export const editProductSchema = z.object({ ...productFields, version: z.number().int().min(1) }).partial({
  name: true,
  description: true,
});

export type CreateProductInput = z.output<typeof createProductSchema>;
export type EditProductInput = z.output<typeof editProductSchema>;
