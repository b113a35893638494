'use client';

import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button, buttonStyle } from './button';
import { onEscape } from './on-escape';

type ConfirmDialogProps = Opening & {
  title: string;
  /** The consequence, in numbers where there are any. */
  text: string;
  confirmLabel: string;
  keepLabel: string;
  isDangerous?: boolean;
  onConfirm: () => void;
};

/** The button that opens the dialog, or whether it is open. */
type Opening =
  | { trigger: ReactNode; isOpen?: undefined; onClose?: undefined }
  | { trigger?: undefined; isOpen: boolean; onClose: () => void };

/** Asks before an action that can't be undone. The focus starts on the harmless answer. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { trigger, title, text, confirmLabel, keepLabel, isDangerous = false, onConfirm } = props;
  const [isTriggered, setTriggered] = useState(false);
  const setOpen = props.onClose ? () => props.onClose() : setTriggered;
  return (
    <AlertDialog.Root open={props.isOpen ?? isTriggered} onOpenChange={setOpen}>
      {trigger ? <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger> : null}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0_0_0/0.5)]" />
        <AlertDialog.Content
          onKeyDown={onEscape(() => setOpen(false))}
          className="fixed top-1/2 left-1/2 z-50 grid w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 gap-4 rounded-card border border-line bg-panel p-6 shadow-card"
        >
          <AlertDialog.Title className="font-semibold text-xl">{title}</AlertDialog.Title>
          <AlertDialog.Description className="text-muted">{text}</AlertDialog.Description>
          <div className="flex flex-wrap justify-end gap-3">
            <AlertDialog.Cancel className={buttonStyle({ tone: 'quiet' })}>{keepLabel}</AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button tone={isDangerous ? 'danger' : 'primary'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
