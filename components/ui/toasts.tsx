'use client';

import { useTranslations } from 'next-intl';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { buttonStyle } from './button';
import { cn } from './cn';

/**
 * Long enough to read a toast twice; the time stops while the pointer or focus is on it, or while the visitor is in
 * another window.
 */
const STAY_MS = 8_000;
/** A toast with a button stays longer: the visitor needs time to get there, by keyboard too. */
const STAY_TO_ACT_MS = 20_000;
const MAX_SHOWN = 3;

interface ToastInput {
  text: string;
  tone?: 'success' | 'danger';
  /** A button, such as Undo; works once. */
  action?: { label: string; onPress: () => void };
}

type Shown = ToastInput & { id: number };

const ToastContext = createContext<((toast: ToastInput) => void) | null>(null);

/**
 * Returns a function that shows what has just been done: a screen reader announces it politely, it takes no focus,
 * and it disappears by itself or with Escape.
 */
export function useToast(): (toast: ToastInput) => void {
  const show = useContext(ToastContext);
  if (!show) throw new Error('useToast needs <Toasts> around it');
  return show;
}

/** Shows the toasts of everything inside; F8 moves the focus there from anywhere. */
export function Toasts({ children }: { children: ReactNode }) {
  const t = useTranslations('Common.toasts');
  const [shown, setShown] = useState<Shown[]>([]);
  const count = useRef(0);
  const show = useCallback((toast: ToastInput) => {
    count.current += 1;
    const one = { ...toast, id: count.current };
    setShown((before) => [...before.slice(1 - MAX_SHOWN), one]);
  }, []);
  const remove = (id: number) => setShown((before) => before.filter((toast) => toast.id !== id));
  return (
    <ToastContext value={show}>
      <Toast.Provider label={t('one')}>
        {children}
        {shown.map((toast) => (
          <OneToast key={toast.id} toast={toast} onGone={() => remove(toast.id)} />
        ))}
        <Toast.Viewport
          label={t('all', { hotkey: '{hotkey}' })}
          className="fixed right-4 bottom-4 z-50 grid w-[min(26rem,calc(100vw-2rem))] gap-3 rounded-card"
        />
      </Toast.Provider>
    </ToastContext>
  );
}

function OneToast({
  toast: { text, tone = 'success', action },
  onGone,
}: {
  toast: Shown;
  onGone: () => void;
}) {
  const t = useTranslations('Common.toasts');
  return (
    <Toast.Root
      type="background"
      duration={action ? STAY_TO_ACT_MS : STAY_MS}
      onOpenChange={onGone}
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card border border-line bg-panel p-2 pl-4 text-base text-text shadow-card transition-[opacity,translate] starting:translate-y-2 starting:opacity-0"
    >
      <span
        aria-hidden="true"
        className={cn(
          'inline-flex size-5 shrink-0 items-center justify-center rounded-full border border-current font-bold text-xs',
          tone === 'danger' ? 'text-danger' : 'text-success',
        )}
      >
        {tone === 'danger' ? '!' : '✓'}
      </span>
      <Toast.Description className="min-w-0 flex-1 break-words py-2">{text}</Toast.Description>
      {action ? (
        <Toast.Action
          altText={t('how', { label: action.label })}
          className={buttonStyle({ className: 'px-4' })}
          onClick={action.onPress}
        >
          {action.label}
        </Toast.Action>
      ) : null}
      <Toast.Close
        aria-label={t('dismiss')}
        className={buttonStyle({ tone: 'plain', className: 'w-11 px-0' })}
      >
        <span aria-hidden="true">×</span>
      </Toast.Close>
    </Toast.Root>
  );
}
