'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import type { LiveNumbers } from '@/components/api/types';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import { postAction, type SaleAction } from './admin-api';
import type { DeskState } from './sale-state-badge';

/** Which actions make sense in which state. */
const ACTIONS: Record<DeskState, SaleAction[]> = {
  draft: ['publish'],
  scheduled: ['pause', 'close'],
  live: ['pause', 'close'],
  sold_out: ['pause', 'close'],
  paused: ['resume', 'close'],
  ended: [],
  closed: [],
};

interface SaleActionsProps {
  live: LiveNumbers;
  state: DeskState;
  onChange: () => void;
}

/** Publish, pause, resume, end. Each says its consequence in numbers before it asks. */
export function SaleActions({ live, state, onChange }: SaleActionsProps) {
  const t = useTranslations('Admin');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const mayChange = useMay('desk');
  const { sale, stock } = live;
  const act = useMutation({
    mutationFn: (action: SaleAction) => postAction(sale.saleId, action),
    onSettled: onChange,
  });
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
    <Card className="grid gap-4 p-5">
      <h2 className="font-semibold text-lg">{t('actionsHeading')}</h2>
      <div className="flex flex-wrap gap-3">
        {ACTIONS[state].map((action) => (
          <ConfirmDialog
            key={action}
            trigger={
              <Button
                tone={action === 'close' ? 'danger' : action === 'pause' ? 'quiet' : 'primary'}
                disabled={act.isPending}
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
        ))}
      </div>
      {act.error ? (
        <Notice tone="danger" role="alert">
          {problemText(act.error)}
        </Notice>
      ) : null}
    </Card>
  );
}
