import { z } from 'zod';
import { pageSchema } from '@/lib/http/cursor';
import { createProductSchema, editProductSchema } from '@/lib/product/product-input';
import type { Product } from '@/lib/product/types';
import type { Area } from '../operation';
import { pageOf } from '../views/common';

const product = z
  .object({
    ...{ productId: z.string(), slug: z.string(), name: z.string(), description: z.string() },
    imageUrl: z.string().nullable(),
    attributes: z.record(z.string(), z.string()),
    version: z.int(),
  })
  .meta({ id: 'Product' }) satisfies z.ZodType<Product>;

export const deskProducts: Area = {
  name: 'Desk: products',
  says: 'Merchants see and change their own.',
  operations: [
    {
      id: 'listProducts',
      method: 'GET',
      path: '/api/admin/products',
      who: 'seeDesk',
      says: 'Products, newest first.',
      query: pageSchema,
      answers: { 200: pageOf('products', product) },
    },
    {
      id: 'createProduct',
      method: 'POST',
      path: '/api/admin/products',
      who: 'desk',
      says: 'A product that belongs to whoever makes it. `imageUrl` is a path of this site or an http(s) address; at most 30 attributes.',
      body: createProductSchema,
      answers: { 201: product },
      errors: ['SLUG_TAKEN'],
    },
    {
      id: 'editProduct',
      method: 'PATCH',
      path: '/api/admin/products/{productId}',
      who: 'desk',
      says: 'Changes what is given, based on the version last seen; the pages that show it are renewed.',
      body: editProductSchema,
      answers: { 200: product },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
    },
  ],
};
