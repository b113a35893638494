'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';

/** Asks for the visitor's level, and what leads to a higher one. */
export const useOwnLevel = () =>
  useQuery({
    queryKey: ['own-level'],
    queryFn: ({ signal }) => request('GET /api/account/level', { signal }),
    staleTime: 0,
  });
