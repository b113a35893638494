'use client';

import { Suspense } from 'react';
import { later } from '@/components/ui/later';
import { SalePanel } from './sale-panel';
import type { PanelSale } from './shown-sale';

const DrawPanel = later(async () => (await import('@/components/draw/draw-panel')).DrawPanel);

/** The live part of a sale's page, by how it admits people. Only a draw's page loads what a draw needs. */
export function AdmissionPanel({ sale }: { sale: PanelSale }) {
  if (sale.admission !== 'draw') return <SalePanel sale={sale} />;
  return (
    <Suspense>
      <DrawPanel sale={sale} />
    </Suspense>
  );
}
