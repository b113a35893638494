'use client';

import { useTranslations } from 'next-intl';
import { cn } from '@/components/ui/cn';
import type { OrderStatus } from '@/lib/contract/words/order';
import { orderSteps, type StepState } from './order-steps';

const DOT: Record<StepState, string> = {
  complete: 'border-success bg-success text-panel',
  current:
    'border-text bg-panel text-text forced-colors:bg-accent forced-colors:text-on-accent forced-colors:forced-color-adjust-none',
  pending: 'border-line bg-panel text-muted',
  stopped: 'border-danger bg-danger-soft text-danger',
};

const STATE_WORD = {
  complete: 'stepComplete',
  current: 'stepCurrent',
  pending: 'stepPending',
  stopped: 'stepStopped',
} as const;

export function StepLine({ status }: { status: OrderStatus }) {
  const t = useTranslations('Order');
  return (
    <ol aria-label={t('steps')} className="grid grid-cols-4">
      {orderSteps(status).map(({ name, state }, index) => (
        <li
          key={name}
          aria-current={state === 'current' ? 'step' : undefined}
          className="relative grid justify-items-center gap-2 text-center"
        >
          {index > 0 ? (
            <span
              aria-hidden="true"
              className={cn(
                'absolute top-4 right-[calc(50%+1.25rem)] left-[calc(-50%+1.25rem)] h-0.5',
                state === 'complete' ? 'bg-success' : 'bg-line',
              )}
            />
          ) : null}
          <span
            aria-hidden="true"
            className={cn(
              'flex size-8 items-center justify-center rounded-full border-2 font-semibold text-sm',
              DOT[state],
            )}
          >
            {state === 'complete' ? '✓' : state === 'stopped' ? '×' : index + 1}
          </span>
          <span className={cn('text-sm', state === 'pending' ? 'text-muted' : 'font-medium')}>{t(name)}</span>
          <span className="sr-only">{t(STATE_WORD[state])}</span>
        </li>
      ))}
    </ol>
  );
}
