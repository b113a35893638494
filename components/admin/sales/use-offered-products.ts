'use client';

import { useQuery } from '@tanstack/react-query';
import { readPages } from '@/components/api/read-pages';
import { request } from '@/components/api/request';
import type { Product } from '@/lib/contract/shapes/product';
import { NEW_PRODUCT } from './sale-form-values';

/** The most on one page. */
const AT_ONCE = 100;

/** Returns the active products, newest first; undefined: not known yet. */
export function useActiveProducts(): Product[] | undefined {
  const { data } = useQuery({
    queryKey: ['GET /api/admin/products', 'active'],
    queryFn: ({ signal }) =>
      readPages((cursor) =>
        request('GET /api/admin/products', { query: { status: 'active', limit: AT_ONCE, cursor }, signal }),
      ),
  });
  return data?.flatMap(({ products }) => products);
}

/** Returns the products that the form of a sale offers: active ones, newest first, and the one that is chosen. */
export function useOfferedProducts(chosenId: string): Product[] {
  const active = useActiveProducts();
  const isOffered = active?.some(({ productId }) => productId === chosenId);
  const { data: chosen } = useQuery({
    queryKey: ['GET /api/admin/products', 'chosen', chosenId],
    queryFn: ({ signal }) => request('GET /api/admin/products', { query: { q: chosenId }, signal }),
    enabled: chosenId !== NEW_PRODUCT && isOffered === false,
  });
  return [...(active ?? []), ...(isOffered ? [] : (chosen?.products ?? []))];
}
