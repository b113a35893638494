'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import type { Product } from '@/lib/contract/shapes/product';
import { NEW_PRODUCT } from './sale-form-values';

const MOST = 100;

/** Returns the products that the form of a sale offers: active ones, newest first, and the one that is chosen. */
export function useOfferedProducts(chosenId: string): Product[] {
  const { data: active } = useQuery({
    queryKey: ['GET /api/admin/products', 'active'],
    queryFn: ({ signal }) =>
      request('GET /api/admin/products', { query: { status: 'active', limit: MOST }, signal }),
  });
  const isOffered = active?.products.some(({ productId }) => productId === chosenId);
  const { data: chosen } = useQuery({
    queryKey: ['GET /api/admin/products', 'chosen', chosenId],
    queryFn: ({ signal }) => request('GET /api/admin/products', { query: { q: chosenId }, signal }),
    enabled: chosenId !== NEW_PRODUCT && isOffered === false,
  });
  return [...(active?.products ?? []), ...(isOffered ? [] : (chosen?.products ?? []))];
}
