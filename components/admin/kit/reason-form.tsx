'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { MAX_REASON_LENGTH } from '@/lib/contract/words/reason';
import { ActionButton, type ActionButtonProps } from './action-button';

interface ReasonFormProps extends Omit<ActionButtonProps, 'action' | 'onPress' | 'children'> {
  action: { isPending: boolean; error: unknown };
  /** The label of the reason's field. If left out, it says just "reason". */
  label?: string;
  /** The text on the button. */
  button: string;
  /** Puts everything on one line where there is room. */
  isRow?: boolean;
  onSend: (body: { reason: string }) => void;
  /**
   * A new value empties the field, because the action that the reason was for is done. The button stays, and keeps
   * the focus.
   */
  round?: string;
  /** Another button, before the form's own. */
  beside?: ReactNode;
  /** Further fields, before the reason. */
  children?: ReactNode;
}

/**
 * A form for an action that needs a reason. The reason may be as long as the contract allows; without one the button
 * is disabled.
 */
export function ReasonForm({
  action,
  label,
  button,
  isRow = false,
  onSend,
  round = '',
  beside,
  children,
  disabled,
  ...rest
}: ReasonFormProps) {
  const t = useTranslations('Admin');
  const [given, setGiven] = useState({ text: '', round });
  const typed = given.round === round ? given.text : '';
  const reason = typed.trim();
  return (
    <div className={isRow ? 'flex flex-wrap items-end gap-3' : 'grid content-start gap-4'}>
      {children}
      <TextField
        label={label ?? t('reason')}
        value={typed}
        maxLength={MAX_REASON_LENGTH}
        onChange={({ target }) => setGiven({ text: target.value, round })}
      />
      <div className="flex flex-wrap gap-3">
        {beside}
        <ActionButton
          {...rest}
          action={action}
          disabled={disabled || reason === ''}
          onPress={() => onSend({ reason })}
        >
          {button}
        </ActionButton>
      </div>
      {isRow ? null : <Problem error={action.error} />}
    </div>
  );
}
