'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** Gives the own place in a waiting room or a draw up, after asking. */
export function LeavePlace({ words, onLeave }: { words: 'Draw' | 'Line'; onLeave: () => void }) {
  const t = useTranslations(words);
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
