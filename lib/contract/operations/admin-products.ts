import { z } from 'zod';
import { createProductSchema, editProductSchema } from '@/lib/product/product-input';
import type { Product } from '@/lib/product/types';
import { type Area, operation } from '../operation';
import { page, pageOf } from '../shapes/common';

const product = z
  .object({
    ...{ productId: z.string(), slug: z.string(), name: z.string(), description: z.string() },
    imageUrl: z.string().nullable(),
    attributes: z.record(z.string(), z.string()),
    version: z.int(),
  })
  .meta({ id: 'Product' }) satisfies z.ZodType<Product>;

export const listProducts = operation({
  id: 'listProducts',
  method: 'GET',
  path: '/api/admin/products',
  who: 'seeDesk',
  says: 'Products, newest first.',
  query: page,
  answers: { 200: pageOf('products', product) },
});

export const createProduct = operation({
  id: 'createProduct',
  method: 'POST',
  path: '/api/admin/products',
  who: 'desk',
  says: 'A product that belongs to whoever makes it. `imageUrl` is a path of this site or an http(s) address; at most 30 attributes.',
  body: createProductSchema,
  answers: { 201: product },
  errors: ['SLUG_TAKEN'],
});

export const editProduct = operation({
  id: 'editProduct',
  method: 'PATCH',
  path: '/api/admin/products/{productId}',
  who: 'desk',
  says: 'Changes what is given, based on the version last seen; the pages that show it are renewed.',
  body: editProductSchema,
  answers: { 200: product },
  errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
});

export const deskProducts: Area = {
  name: 'Desk: products',
  says: 'Merchants see and change their own.',
  operations: [listProducts, createProduct, editProduct],
};
