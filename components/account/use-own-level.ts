'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';

/** Asks for the visitor's level and points. */
export const useOwnLevel = () =>
  useQuery({
    queryKey: ['own-level'],
    queryFn: ({ signal }) => request('GET /api/points', { query: { limit: 1 }, signal }),
  });
