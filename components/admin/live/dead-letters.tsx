'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Card } from '@/components/ui/card';
import { useMayInShop } from '../kit/use-shops';
import { DeadLetter } from '../queues/dead-letter';

interface DeadLettersProps {
  saleId: string;
  /** The number of dead letters in the live numbers. When it changes, the list is loaded again. */
  count: number;
  onChange: () => void;
}

/** Lists the dead letters of this sale, each with its error. Staff can try one again, or close it with a reason. */
export function DeadLetters({ saleId, count, onChange }: DeadLettersProps) {
  const t = useTranslations('Admin');
  const mayChange = useMayInShop('work');
  const { data, refetch } = useQuery({
    queryKey: ['dead-letters', saleId, count],
    queryFn: ({ signal }) => request('GET /api/admin/dead-letters', { query: { saleId }, signal }),
    placeholderData: (previous) => previous,
    enabled: count > 0,
  });
  if (count === 0 || !data || data.deadLetters.length === 0) return null;
  const refresh = () => {
    void refetch();
    onChange();
  };
  return (
    <Card className="p-5">
      <section aria-label={t('deadLetters')} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('deadLetters')}</h2>
        <p className="text-muted text-sm">{t('deadLettersHelp')}</p>
        <ul className="grid gap-4">
          {data.deadLetters.map((letter) => (
            <li key={letter.id} className="border-line border-t pt-4">
              <DeadLetter letter={letter} mayChange={mayChange} onChange={refresh} />
            </li>
          ))}
        </ul>
      </section>
    </Card>
  );
}
