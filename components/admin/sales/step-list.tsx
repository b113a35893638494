import { useTranslations } from 'next-intl';
import { cn } from '@/components/ui/cn';
import { type FormStep, STEPS } from './form-steps';

interface StepListProps {
  step: FormStep;
  /** The steps with a wrong field. */
  wrong: ReadonlySet<FormStep>;
  onStep: (step: FormStep) => void;
}

/** Lists the form's steps. The user can open any of them at any time. */
export function StepList({ step: open, wrong, onStep }: StepListProps) {
  const t = useTranslations('AdminSales');
  return (
    <nav aria-label={t('stepsLabel')}>
      <ol className="flex flex-wrap gap-x-1 border-line border-b">
        {STEPS.map((step, index) => (
          <li key={step}>
            <button
              type="button"
              aria-current={step === open ? 'step' : undefined}
              onClick={() => onStep(step)}
              className={cn(
                'inline-flex min-h-11 items-center gap-2 whitespace-nowrap border-b-2 px-3',
                step === open ? 'border-text font-semibold' : 'border-transparent text-muted hover:text-text',
              )}
            >
              <span
                aria-hidden="true"
                className={cn(
                  'inline-flex size-6 items-center justify-center rounded-full border text-sm tabular-nums',
                  wrong.has(step) ? 'border-danger text-danger' : 'border-control',
                )}
              >
                {wrong.has(step) ? '!' : index + 1}
              </span>
              {t(`steps.${step}`)}
              {wrong.has(step) ? <span className="sr-only">{t('stepWrong')}</span> : null}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
