import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';

/** Lists what a proof is about, as pairs of a label and a value. */
export function ProofFacts({ facts }: { facts: readonly (readonly [label: string, value: string])[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="break-all tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Says what a proof can't show. @param own what this kind of proof alone can't */
export function NotProven({ own }: { own: string }) {
  const t = useTranslations('Prove');
  return (
    <Card className="grid gap-2 p-5 sm:p-6">
      <h2 className="font-semibold text-xl">{t('notProven')}</h2>
      <ul className="grid list-disc gap-1 pl-5 text-muted">
        <li>{t('cannot.people')}</li>
        <li>{own}</li>
        <li>{t('cannot.views')}</li>
        <li>{t('cannot.key')}</li>
      </ul>
    </Card>
  );
}
