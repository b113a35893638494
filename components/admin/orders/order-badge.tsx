'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { WrittenStatus } from '@/lib/contract/words/order';

const TONES: Record<WrittenStatus, BadgeTone> = {
  pending_payment: 'warning',
  paid: 'success',
  cancelled: 'neutral',
  refunded: 'neutral',
  failed: 'danger',
};

/** Shows an order's state in a word. */
export function OrderBadge({ status }: { status: WrittenStatus }) {
  const t = useTranslations('AdminOrders');
  return <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>;
}
