import type { OrderDetail } from '@/lib/contract/shapes/order';
import { ORDER_CAUSES, type OrderCause } from '@/lib/contract/words/order';
import { isolated } from '@/lib/human-text';

export type TimelineEntry = { id: number; at: number; by?: string; isBad?: boolean } & (
  | { kind: 'history'; cause: OrderCause | 'other'; data: Record<string, unknown> }
  | { kind: 'provider'; type: string; outcome: string }
  | { kind: 'entered' | 'reminded' | 'told' | 'points' | 'deadLetter'; what: string }
);

/**
 * Merges all that is known of an order into one story, oldest first. Events of the same moment stay in the order in
 * which they are added here.
 */
export function timelineOf(order: OrderDetail): TimelineEntry[] {
  const lines: TimelineEntry[] = [];
  const add = (
    at: number | null,
    kind: Exclude<TimelineEntry['kind'], 'history' | 'provider'>,
    what = '',
    more: Pick<TimelineEntry, 'by' | 'isBad'> = {},
  ) => {
    if (at !== null) lines.push({ id: lines.length, at, kind, what, ...more });
  };
  add(order.enteredAt, 'entered');
  for (const { at, actor, cause, data } of order.history) {
    const reason = typeof data.reason === 'string' ? `“${isolated(data.reason)}”` : '';
    const { id = '' } = actor;
    const by = [actor.kind === 'system' ? '' : (order.people[id] ?? id), reason].filter(Boolean).join(' · ');
    const known = ORDER_CAUSES.find((candidate) => candidate === cause);
    lines.push({
      id: lines.length,
      at,
      kind: 'history',
      cause: known ?? 'other',
      data,
      by: by || undefined,
      isBad: cause === 'failed',
    });
  }
  add(order.remindedAt, 'reminded');
  for (const { at, type, outcome, webhookId } of order.paymentEvents)
    lines.push({ id: lines.length, at, kind: 'provider', type, outcome, by: webhookId });
  for (const { at, kind } of order.notifications) add(at, 'told', kind);
  for (const { at, points } of order.points) add(at, 'points', String(points));
  for (const { createdAt, consumer, error, resolvedAt } of order.deadLetters)
    add(createdAt, 'deadLetter', consumer, { by: error, isBad: resolvedAt === null });
  return lines.sort((a, b) => a.at - b.at);
}
