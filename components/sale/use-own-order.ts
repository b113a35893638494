'use client';

import { useEffect } from 'react';
import type { Attempt, PreviousEnd } from '@/components/attempt/attempt';
import { resetAttempt, updateAttempt } from '@/components/attempt/attempt-store';
import { keepRefusal } from '@/components/attempt/keep-refusal';
import { useOrder } from '@/components/order/use-order';
import type { OrderView } from '@/lib/contract/shapes/order';
import type { OrderStatus } from '@/lib/contract/words/order';

function previousEnd(status: OrderStatus, limitPerUser: number, refusal: string | null): PreviousEnd | null {
  if (status === 'cancelled' || status === 'failed' || status === 'refunded') return status;
  // LIMIT_REACHED means that the order shown is the last one the limit allows.
  const hasRoom = limitPerUser > 1 && refusal !== 'LIMIT_REACHED';
  return status === 'paid' && hasRoom ? status : null;
}

/** Follows the order that this attempt became, and frees the attempt for the next try. @returns null as long as it was not seen */
export function useOwnOrder(
  key: string | null,
  attempt: Attempt,
  limitPerUser: number,
  refresh: () => void,
): OrderView | null {
  const { order, problem } = useOrder(attempt.orderNo, attempt.entry?.entryToken ?? null);

  // The shopper is free for the next try, with a fresh token, when the order failed, when the server no longer knows
  // it, or when the limit allows another.
  const isOurs = order?.orderNo === attempt.orderNo;
  const ending = isOurs && order ? previousEnd(order.status, limitPerUser, attempt.refusal) : null;
  const isGone = attempt.orderNo !== null && problem?.status === 404;
  useEffect(() => {
    if (key && (ending || isGone)) resetAttempt(key, ending);
  }, [key, ending, isGone]);

  // The purchase waited in the sale's queue and was refused there. The same token may try again.
  const refused = attempt.orderNo !== null && problem?.status === 409 ? problem : null;
  useEffect(() => {
    if (!key || !refused) return;
    updateAttempt(key, keepRefusal(refused));
    refresh();
  }, [key, refused, refresh]);
  return isOurs ? order : null;
}
