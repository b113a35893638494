'use client';

import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { DeliveryStand } from '@/lib/contract/words/delivery';
import { ActionButton } from '../kit/action-button';
import { useActionOf } from '../kit/use-action';

/** The steps that many orders can take at once. A parcel that is sent needs a number of its own: a file has them. */
const NEXT = { waiting: 'packed', shipped: 'delivered' } as const;
type Stand = keyof typeof NEXT;

/** Tells whether orders whose parcels stand so can be moved on together. */
export const canMoveMany = (stand: DeliveryStand | ''): stand is Stand => stand in NEXT;

interface MoveManyProps {
  stand: Stand;
  /** The orders shown, and those of them that are chosen. */
  shown: readonly string[];
  chosen: readonly string[];
  onChoose: (orderNos: readonly string[]) => void;
}

/** Moves the parcels of the chosen orders on by one step, and names those that could not be moved. */
export function MoveMany({ stand, shown, chosen, onChoose }: MoveManyProps) {
  const t = useTranslations('AdminOrders.many');
  const done = useTranslations('AdminDone.deliveries');
  const problemText = useProblemText();
  const refreshLists = useRefreshLists();
  const to = NEXT[stand];
  const move = useActionOf((orderNos: readonly string[]) => moveEach(orderNos, to), {
    says: ({ moved }) => (moved > 0 ? { text: done(to, { count: moved }) } : null),
    refresh: () => refreshLists('GET /api/admin/orders'),
    onDone: () => onChoose([]),
  });
  const failed = move.data?.failed ?? [];
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <label className="flex min-h-11 cursor-pointer items-center gap-2.5">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-text"
            checked={shown.length > 0 && chosen.length === shown.length}
            onChange={({ target }) => onChoose(target.checked ? shown : [])}
          />
          {t('all', { count: shown.length })}
        </label>
        <ActionButton action={move} disabled={chosen.length === 0} onPress={() => move.mutate(chosen)}>
          {t(to, { count: chosen.length })}
        </ActionButton>
      </div>
      <Problem error={move.error} />
      {failed.length > 0 ? (
        <Notice tone="warning" role="status">
          <p>{t('failed', { count: failed.length })}</p>
          <ul>
            {failed.map(({ orderNo, code }) => (
              <li key={orderNo}>{t('failedLine', { orderNo, problem: problemText(code) })}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </div>
  );
}

/** Goes on after a refusal that is about one order. @throws any other error: those that are left would meet it, too */
async function moveEach(orderNos: readonly string[], to: (typeof NEXT)[Stand]) {
  const failed: { orderNo: string; code: string }[] = [];
  for (const orderNo of orderNos) {
    try {
      await request('POST /api/admin/orders/{orderNo}/delivery', { params: { orderNo }, body: { to } });
    } catch (error) {
      if (!(error instanceof ApiProblem) || ![404, 409].includes(error.status)) throw error;
      failed.push({ orderNo, code: error.code });
    }
  }
  return { moved: orderNos.length - failed.length, failed };
}
