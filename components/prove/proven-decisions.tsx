'use client';

import { useLocale, useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { CheckedReceipt } from '@/lib/decision-log/proof/check-receipt';
import { NotProven, ProofFacts } from './proof-facts';

/** Says what a receipt proves, decision by decision, and what it can't. */
export function ProvenDecisions({ proven }: { proven: Extract<CheckedReceipt, { ok: true }> }) {
  const t = useTranslations('Prove');
  const locale = useLocale();
  const localDate = useLocalDate();
  const { head, decisions, person } = proven;
  const number = (value: number) => new Intl.NumberFormat(locale).format(value);
  const facts = [
    [t('sale'), head.sale],
    [t('person'), person],
    [t('size'), number(head.size)],
    [t('signedAt'), localDate(head.at)],
    [t('root'), head.root],
    [t('key'), head.keyId],
  ] as const;
  return (
    <div className="grid gap-6">
      <Notice tone="success">
        <p className="font-semibold">{t('proven')}</p>
        <p>{t(head.final ? 'provenFinal' : 'provenSoFar', { size: number(head.size) })}</p>
      </Notice>
      <Card className="grid gap-4 p-5 sm:p-6">
        <h2 className="font-semibold text-xl">{t('decisions')}</h2>
        <ol className="grid gap-3">
          {decisions.map(({ index, leaf, order }) => (
            <li key={index} className="grid gap-0.5 rounded-xl bg-sunken px-4 py-3">
              <p className="font-semibold">{t(`kinds.${leaf.kind}`)}</p>
              <p className="break-words text-muted text-sm tabular-nums">
                {t('place', { index: number(index + 1) })} · {localDate(leaf.at)}
                {order === null ? null : ` · ${t('order', { order })}`}
              </p>
            </li>
          ))}
        </ol>
        <ProofFacts facts={facts} />
      </Card>
      <NotProven own={t('cannot.before')} />
    </div>
  );
}
