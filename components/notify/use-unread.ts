'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import { UNREAD_KEY } from '@/components/session/visit-keys';
import { usePathname } from '@/i18n/navigation';

const EVERY_MS = 15_000;
const FRESH_MS = 10_000;

/**
 * Returns how many notices are unread. Polls on pages about orders, asks once elsewhere, and never on a sale's page:
 * there every request counts.
 */
export function useUnread(): number {
  const pathname = usePathname();
  const isSalePage = pathname.startsWith('/sales/');
  const isFollowed = pathname.startsWith('/orders') || pathname.startsWith('/notifications');
  const { data } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: ({ signal }) => request('GET /api/notifications/unread', { signal }),
    enabled: !isSalePage,
    staleTime: FRESH_MS,
    refetchInterval: isFollowed ? EVERY_MS : false,
    retry: false,
  });
  return data?.unread ?? 0;
}
