'use client';

import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';

/** The question before an action. It names the consequence in numbers where there are any. */
interface Question {
  title: string;
  text: string;
  confirmLabel?: string;
  keepLabel?: string;
  /** Defaults to the button's own look. */
  isDangerous?: boolean;
}

export interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, 'onClick' | 'isBusy'> {
  /** The action that the button starts. While it is pending the button is busy, and keeps the focus. */
  action: { isPending: boolean };
  /** If left out, the button acts without asking. */
  ask?: Question;
  onPress: () => void;
}

/** A button for an action. It asks `ask` before it acts. */
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
