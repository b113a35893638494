'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { QueueOverview } from '@/lib/contract/shapes/queue';
import { Figures } from '../kit/figures';
import { useQueueWords } from './use-queue-words';

/** Shows the queues in figures, and how many workers the load needs. */
export function FlowCard({ overview: { outbox, messages, deadLetters, runs } }: { overview: QueueOverview }) {
  const t = useTranslations('AdminQueues');
  const localDate = useLocalDate();
  const words = useQueueWords();
  const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
  const failing = sum(messages.map((each) => each.failing));
  const open = sum(deadLetters.map((each) => each.open));
  return (
    <section aria-label={t('now')} className="grid gap-6">
      <div className="grid gap-6 md:grid-cols-3">
        {outbox ? (
          <Figures
            heading={t('outboxes')}
            figures={[
              { label: t('backlog'), value: outbox.backlog },
              { label: t('oldest'), value: words.age(outbox.oldestAgeMs) },
              { label: t('takenPerSec'), value: words.rate(outbox.takenPerSec) },
              { label: t('workers'), value: outbox.workers },
              { label: t('openSales'), value: outbox.sales },
            ]}
          />
        ) : (
          <Notice tone="danger" role="status">
            {t('noRedis')}
          </Notice>
        )}
        <Figures
          heading={t('afterwards')}
          figures={[
            { label: t('waiting'), value: sum(messages.map((each) => each.waiting)) },
            { label: t('failing'), value: failing, isBad: failing > 0 },
            {
              label: t('oldest'),
              value: words.age(Math.max(0, ...messages.map((each) => each.oldestAgeMs))),
            },
            { label: t('deadLetters'), value: open, isBad: open > 0 },
          ]}
        />
        {runs ? (
          <Figures
            heading={t('runs')}
            figures={[
              { label: t('states.running'), value: runs.running },
              { label: t('states.sleeping'), value: runs.sleeping },
              {
                label: t('nextWake'),
                value: runs.nextWakeAt === null ? '–' : localDate(runs.nextWakeAt, 'time'),
              },
              { label: t('states.retrying'), value: runs.retrying },
              { label: t('states.failed'), value: runs.failed, isBad: runs.failed > 0 },
            ]}
          />
        ) : (
          <Notice>{t('elsewhere')}</Notice>
        )}
      </div>
      {outbox ? <Scaling outbox={outbox} /> : null}
    </section>
  );
}

/** Shows how many workers autoscaling would run, and why. */
function Scaling({ outbox }: { outbox: NonNullable<QueueOverview['outbox']> }) {
  const t = useTranslations('AdminQueues');
  const number = new Intl.NumberFormat(useLocale());
  const { suggestion, workers, backlog, cap } = outbox;
  return (
    <Card className="grid gap-2 p-5">
      <h2 className="font-semibold text-lg">{t('scaling')}</h2>
      <p role="status" className={suggestion.why === 'keeping_up' ? undefined : 'font-semibold text-warning'}>
        {t(`why.${suggestion.why}`, { now: workers, wanted: suggestion.workers, backlog })}
      </p>
      <details className="text-muted text-sm">
        <summary className="flex min-h-11 items-center underline underline-offset-4">{t('howSo')}</summary>
        <p>{t('formula', { cap: number.format(cap) })}</p>
      </details>
    </Card>
  );
}
