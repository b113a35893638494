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

interface OrderBadgeProps {
  status: WrittenStatus;
  refundedMinor: number;
}

/** Shows an order's state in a word. */
export function OrderBadge({ status, refundedMinor }: OrderBadgeProps) {
  const t = useTranslations('AdminOrders');
  const isInPart = status === 'paid' && refundedMinor > 0;
  return <Badge tone={TONES[status]}>{isInPart ? t('statusInPart') : t(`statuses.${status}`)}</Badge>;
}
