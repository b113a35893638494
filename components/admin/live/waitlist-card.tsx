'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Problem } from '@/components/ui/problem';
import type { Live } from '@/lib/contract/shapes/live';
import { ActionButton } from '../kit/action-button';
import { Figures } from '../kit/figures';
import { useActionOf } from '../kit/use-action';
import { useMayInShop } from '../kit/use-shops';

interface WaitlistCardProps {
  saleId: string;
  waitlist: NonNullable<Live['waitlist']>;
  onChange: () => void;
}

/** Shows who waits for units that come back, and closes the list or opens it again. */
export function WaitlistCard({ saleId, waitlist, onChange }: WaitlistCardProps) {
  const t = useTranslations('AdminWaitlist');
  const mayChange = useMayInShop('settings');
  const change = (verb: 'close' | 'open') =>
    request(`POST /api/admin/sales/{saleId}/waitlist/${verb}`, { params: { saleId } });
  const act = useActionOf(change, {
    says: (_, verb) => {
      const back = verb === 'close' ? 'open' : 'close';
      return { text: t(`done.${verb}`), undo: { request: () => change(back), text: t(`done.${back}`) } };
    },
    refresh: onChange,
  });
  const { waiting, given, left, passedOver, isOpen } = waitlist;
  const verb = isOpen ? 'close' : 'open';
  return (
    <section className="grid gap-2" aria-label={t('heading')}>
      <Figures
        heading={t('heading')}
        help={t(isOpen ? 'isOpen' : 'isClosed')}
        figures={[
          { label: t('waiting'), value: waiting },
          { label: t('given'), help: t('givenHelp'), value: given },
          { label: t('left'), value: left },
          { label: t('passedOver'), help: t('passedOverHelp'), value: passedOver },
        ]}
      />
      {mayChange ? (
        <div>
          <ActionButton action={act} tone="quiet" onPress={() => act.mutate(verb)}>
            {t(verb)}
          </ActionButton>
        </div>
      ) : null}
      <Problem error={act.error} />
    </section>
  );
}
