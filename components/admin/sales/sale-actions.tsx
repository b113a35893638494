'use client';

import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Situation } from '@/lib/contract/shapes/live';
import { ActionButton } from '../kit/action-button';
import { useActionOf } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';
import type { AdminState } from './sale-state-badge';

type SaleAction = 'publish' | 'pause' | 'resume' | 'close';

/** Which actions make sense in which state. */
const ACTIONS: Record<AdminState, SaleAction[]> = {
  draft: ['publish'],
  scheduled: ['pause', 'close'],
  live: ['pause', 'close'],
  sold_out: ['pause', 'close'],
  paused: ['resume', 'close'],
  ended: [],
  closed: [],
};

interface SaleActionsProps {
  situation: Pick<Situation, 'sale' | 'stock'>;
  state: AdminState;
  onChange: () => void;
  /** Further actions. They stand before the action that ends the sale. */
  children?: ReactNode;
}

/** Offers to publish, pause, resume or end the sale. Each action names its consequence in numbers before it asks. */
export function SaleActions({ situation, state, onChange, children }: SaleActionsProps) {
  const t = useTranslations('Admin');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const actions = useMayInShop('settings') ? ACTIONS[state] : [];
  const { sale, stock } = situation;
  const change = (action: SaleAction) =>
    request(`POST /api/admin/sales/{saleId}/${action}`, { params: { saleId: sale.saleId } });
  const act = useActionOf(change, {
    says: (_, action) => ({
      text: done(`sale.${action}`),
      undo: action === 'pause' ? { request: () => change('resume'), text: done('sale.resume') } : undefined,
    }),
    refresh: onChange,
  });
  // The button that was pressed is replaced by its opposite; this keeps the focus there.
  const focus = useKeptFocus(state);
  const available = Math.max(0, stock?.available ?? 0);
  const numbers = { available, held: stock?.held ?? 0, sold: stock?.sold ?? 0 };
  const consequence = (action: SaleAction): string => {
    if (action !== 'publish') return t(`${action}Text`, numbers);
    const date = localDate(sale.startsAt);
    return sale.totalStock < 0
      ? t('publishTextUnlimited', { date })
      : t('publishText', { total: sale.totalStock, date });
  };
  if (actions.length === 0 && !children) return null;
  return (
    <section aria-label={t('actionsHeading')} className="grid gap-3">
      <div {...focus} tabIndex={-1} className="flex flex-wrap gap-2 outline-none">
        {actions.map((action) => (
          <Fragment key={action}>
            {/* The action that ends the sale for good stands last. */}
            {action === 'close' ? children : null}
            <ActionButton
              action={act}
              tone={action === 'close' ? 'danger' : action === 'pause' ? 'quiet' : 'primary'}
              ask={{
                title: t(`${action}Title`),
                text: consequence(action),
                isDangerous: action === 'close' || action === 'pause',
              }}
              onPress={() => act.mutate(action)}
            >
              {t(action)}
            </ActionButton>
          </Fragment>
        ))}
        {actions.includes('close') ? null : children}
      </div>
      <Problem error={act.error} />
    </section>
  );
}
