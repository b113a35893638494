'use client';

import { useTranslations } from 'next-intl';
import type { ComponentType, ReactNode } from 'react';
import { buttonStyle } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { Link } from '@/i18n/navigation';
import type { Situation } from '@/lib/contract/shapes/live';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { DrawCard } from '../draw/draw-card';
import { useMayInShop } from '../kit/use-shops';
import { LineCard } from '../line/line-card';
import { RehearsalCard } from '../rehearsal/rehearsal-card';
import { LimitsForm } from '../sales/limits-form';
import { SaleActions } from '../sales/sale-actions';
import { SaleEditing } from '../sales/sale-editing';
import { adminState } from '../sales/sale-state-badge';
import { DecisionLogCard } from './decision-log-card';
import { LiveHeading } from './live-heading';
import { StockBar } from './stock-bar';
import { StockDialog } from './stock-dialog';
import { useNow } from './use-now';
import { VariantLines } from './variant-lines';

/** The cards that show staff the places that people took. */
const ADMISSION_CARDS: Record<SaleAdmission, ComponentType<{ saleId: string }> | null> = {
  first_come: null,
  waiting_room: LineCard,
  draw: DrawCard,
};

interface SaleFrameProps {
  situation: Situation;
  /** Device time, epoch ms. */
  freshAt: number;
  isStreaming: boolean;
  refresh: () => void;
  /** Shows what happens in a published sale. @param now the server's time, epoch ms */
  running: (now: number) => ReactNode;
}

/** Shows how one sale stands, with the actions on it. */
export function SaleFrame({ situation, freshAt, isStreaming, refresh, running }: SaleFrameProps) {
  const t = useTranslations('Admin');
  const now = situation.serverTime + Math.max(0, useNow() - freshAt);
  const { sale, stock } = situation;
  const state = adminState(sale, situation.phase);
  const isOpen = state !== 'draft' && state !== 'closed' && state !== 'ended';
  const mayAct = useMayInShop('settings');
  const mayStock = useMayInShop('stock');
  const AdmissionCard = ADMISSION_CARDS[sale.admission];
  return (
    <div className="grid gap-3">
      <LiveHeading situation={situation} state={state} now={now} freshAt={freshAt} isStreaming={isStreaming}>
        <SaleActions situation={situation} state={state} onChange={refresh}>
          {mayStock && stock && isOpen && stock.total >= 0 ? (
            <StockDialog sale={sale} stock={stock} onChange={refresh} />
          ) : null}
          {mayAct ? (
            <Link href={`/admin/sales?copy=${sale.saleId}`} prefetch={false} className={buttonStyle()}>
              {t('copySale')}
            </Link>
          ) : null}
        </SaleActions>
      </LiveHeading>
      <Card className="p-4">
        <h2 className="sr-only">{t('stockHeading')}</h2>
        {stock ? <StockBar stock={stock} /> : <Notice>{t('notLoaded')}</Notice>}
        {sale.variants.length > 0 ? <VariantLines variants={sale.variants} left={stock?.variants} /> : null}
      </Card>
      {sale.status !== 'draft' && AdmissionCard ? <AdmissionCard saleId={sale.saleId} /> : null}
      {sale.status === 'draft' ? null : running(now)}
      {sale.status === 'draft' ? null : <DecisionLogCard saleId={sale.saleId} />}
      <SaleEditing sale={sale} isOpen={isOpen} hasStarted={now >= sale.startsAt} onChange={refresh} />
      <RehearsalCard saleId={sale.saleId} canStart={state === 'draft' || state === 'scheduled'} />
      {mayAct && isOpen ? <LimitsForm saleId={sale.saleId} limits={sale.limits} /> : null}
    </div>
  );
}
