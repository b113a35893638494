'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SalePhase } from '@/lib/contract/words/sale';

export type DeskState = SalePhase | 'draft' | 'closed';

const TONES: Record<DeskState, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'neutral',
  live: 'accent',
  paused: 'warning',
  sold_out: 'success',
  ended: 'neutral',
  closed: 'neutral',
};

/** What a merchant calls a sale's state: the draft and the closed one come before what the clock says. */
export function deskState(
  { status, paused }: Pick<SaleInfo, 'status' | 'paused'>,
  phase: SalePhase | null,
): DeskState {
  if (status !== 'published') return status;
  if (phase === 'ended') return 'ended';
  return paused ? 'paused' : (phase ?? 'scheduled');
}

export function SaleStateBadge({ state }: { state: DeskState }) {
  const t = useTranslations('Admin');
  return <Badge tone={TONES[state]}>{t(state)}</Badge>;
}
