'use client';

import { type ComponentType, Suspense } from 'react';
import { later } from '@/components/ui/later';
import type { SaleAdmission } from '@/lib/contract/words/sale';
import { SalePanel } from './sale-panel';
import type { PanelSale } from './shown-sale';

/** Only a draw's page loads what a draw needs. */
const DrawPanel = later(async () => (await import('@/components/draw/draw-panel')).DrawPanel);

const PANELS: Record<SaleAdmission, ComponentType<{ sale: PanelSale }>> = {
  first_come: SalePanel,
  waiting_room: SalePanel,
  draw: DrawPanel,
};

/** The live part of a sale's page, by how it admits people. */
export function AdmissionPanel({ sale }: { sale: PanelSale }) {
  const Panel = PANELS[sale.admission];
  return (
    <Suspense>
      <Panel sale={sale} />
    </Suspense>
  );
}
