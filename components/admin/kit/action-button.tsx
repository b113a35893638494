'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** What is asked before something is done; the consequence in numbers where there are any. */
export interface Question {
  title: string;
  text: string;
  confirmLabel?: string;
  keepLabel?: string;
  /** As the button looks unless said otherwise. */
  isDangerous?: boolean;
}

export interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'isBusy'> {
  /** What it sets off: the button is busy meanwhile, and keeps the focus. */
  action: { isPending: boolean };
  /** Without it nothing is asked. */
  ask?: Question;
  onPress: () => void;
}

/** The button of an action, with the question before it. */
export function ActionButton({ action, ask, onPress, ...rest }: ActionButtonProps) {
  const t = useTranslations('Admin');
  if (!ask) return <Button {...rest} isBusy={action.isPending} onClick={onPress} />;
  const { confirmLabel = t('confirm'), keepLabel = t('keep'), isDangerous = rest.tone === 'danger' } = ask;
  return (
    <ConfirmDialog
      trigger={<Button {...rest} isBusy={action.isPending} />}
      title={ask.title}
      text={ask.text}
      confirmLabel={confirmLabel}
      keepLabel={keepLabel}
      isDangerous={isDangerous}
      onConfirm={onPress}
    />
  );
}
