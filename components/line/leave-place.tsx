'use client';

import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

interface LeavePlaceProps {
  /** The messages of the waiting room, or of the draw. */
  t: (key: 'leave' | 'leaveTitle' | 'leaveText' | 'stay') => string;
  onLeave: () => void;
}

/** Gives the own place in a waiting room or a draw up, after asking. */
export function LeavePlace({ t, onLeave }: LeavePlaceProps) {
  return (
    <ConfirmDialog
      trigger={<Button tone="plain">{t('leave')}</Button>}
      title={t('leaveTitle')}
      text={t('leaveText')}
      confirmLabel={t('leave')}
      keepLabel={t('stay')}
      isDangerous
      onConfirm={onLeave}
    />
  );
}
