'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Problem } from '@/components/ui/problem';
import { useKeptFocus } from '@/components/ui/use-kept-focus';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Live } from '@/lib/contract/shapes/live';
import { useTell } from '../kit/use-tell';
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
  live: Live;
  state: AdminState;
  onChange: () => void;
  /** Further actions, before the one that ends the sale. */
  children?: ReactNode;
}

/** Publish, pause, resume, end. Each says its consequence in numbers before it asks. */
export function SaleActions({ live, state, onChange, children }: SaleActionsProps) {
  const t = useTranslations('Admin');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const mayChange = useMay('manageSales');
  const { sale, stock } = live;
  const tell = useTell(onChange);
  const change = (action: SaleAction) =>
    request(`POST /api/admin/sales/{saleId}/${action}`, { params: { saleId: sale.saleId } });
  const act = useMutation({
    mutationFn: change,
    onSuccess: (_, action) =>
      tell(
        done(`sale.${action}`),
        action === 'pause' ? { request: () => change('resume'), text: done('sale.resume') } : undefined,
      ),
    onSettled: onChange,
  });
  // What was pressed is exchanged for its opposite.
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
  if (!mayChange || ACTIONS[state].length === 0) return null;
  return (
    <section aria-label={t('actionsHeading')} className="grid gap-3">
      <div {...focus} tabIndex={-1} className="flex flex-wrap gap-2 outline-none">
        {ACTIONS[state].map((action) => (
          <Fragment key={action}>
            {/* The end for good stands last. */}
            {action === 'close' ? children : null}
            <ConfirmDialog
              trigger={
                <Button
                  tone={action === 'close' ? 'danger' : action === 'pause' ? 'quiet' : 'primary'}
                  isBusy={act.isPending}
                >
                  {t(action)}
                </Button>
              }
              title={t(`${action}Title`)}
              text={consequence(action)}
              confirmLabel={t('confirm')}
              keepLabel={t('keep')}
              isDangerous={action === 'close' || action === 'pause'}
              onConfirm={() => act.mutate(action)}
            />
          </Fragment>
        ))}
      </div>
      <Problem error={act.error} />
    </section>
  );
}
