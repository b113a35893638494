'use client';

import { useTranslations } from 'next-intl';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { SalePhase } from '@/lib/contract/words/sale';

export type AdminState = SalePhase | 'draft' | 'closed';

const TONES: Record<AdminState, BadgeTone> = {
  draft: 'neutral',
  scheduled: 'neutral',
  live: 'accent',
  paused: 'warning',
  sold_out: 'success',
  ended: 'neutral',
  closed: 'neutral',
};

/** Returns the state of a sale as merchants call it. Draft and closed win over the phase that the clock says. */
export function adminState(
  { status, paused }: Pick<SaleInfo, 'status' | 'paused'>,
  phase: SalePhase | null,
): AdminState {
  if (status !== 'published') return status;
  if (phase === 'ended') return 'ended';
  return paused ? 'paused' : (phase ?? 'scheduled');
}

export function SaleStateBadge({ state }: { state: AdminState }) {
  const t = useTranslations('Admin');
  return <Badge tone={TONES[state]}>{t(state)}</Badge>;
}
