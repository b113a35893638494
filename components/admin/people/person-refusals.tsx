'use client';

import { useTranslations } from 'next-intl';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Person } from '@/lib/contract/shapes/person';
import { codeWord } from '../why/code-word';

/** Lists why a person's attempts failed; each leads to the whole answer to "why not me?". */
export function PersonRefusals({ person: { user, refusals } }: { person: Person }) {
  const t = useTranslations('AdminPeople');
  const why = useTranslations('AdminWhy');
  const localDate = useLocalDate();
  return (
    <ul className="grid gap-3">
      {refusals.map(({ saleId, saleTitle, place, code, times, lastAt }) => (
        <li key={`${saleId} ${place} ${code}`} className="grid gap-0.5">
          <Link
            href={`/admin/why?saleId=${saleId}&user=${user.userId}`}
            prefetch={false}
            className="justify-self-start font-medium underline underline-offset-4"
          >
            {saleTitle}
          </Link>
          <span className="tabular-nums">
            {why(`codes.${codeWord(code)}`)}{' '}
            <span className="text-muted">{t('timesLast', { times, time: localDate(lastAt, 'short') })}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
