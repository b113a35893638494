'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { useMay } from '@/components/session/use-may';
import { Problem } from '@/components/ui/problem';
import { adminPage, PageFrame } from '../kit/admin-page';
import { SwitchCard } from './switch-card';
import { useSwitchWords } from './use-switch-words';

const EVERY_MS = 2_000;

/** Shows every side feature in the order in which load switches them off, and how busy the shop is. */
function Switchboard() {
  const t = useTranslations('AdminSwitchboard');
  const common = useTranslations('Common');
  const mayEdit = useMay('operator');
  const { shareWord } = useSwitchWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['admin-switchboard'],
    queryFn: ({ signal }) => request('GET /api/admin/switchboard', { signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <PageFrame words="AdminSwitchboard">
      <Problem error={error} />
      {data || error ? null : <p className="text-muted">{common('loading')}</p>}
      {data ? (
        <section aria-label={t('listHeading')} className="grid gap-4">
          <h2 className="font-semibold text-xl">{t('listHeading')}</h2>
          <p className="text-muted tabular-nums">
            {data.busy === null ? t('busyUnknown') : t('busy', { share: shareWord(data.busy) })}
          </p>
          <ol className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
            {data.switches.map((one) => (
              <li key={one.feature} className="grid">
                <SwitchCard one={one} mayEdit={mayEdit} onChange={() => void refetch()} />
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </PageFrame>
  );
}

export const SwitchboardPage = adminPage(Switchboard, 'seeShop', 'AdminSwitchboard');
