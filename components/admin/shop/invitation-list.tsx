'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { ShopView } from '@/lib/contract/shapes/team';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';
import { useStandingWords } from './use-standing-words';

interface InvitationListProps {
  shop: Pick<ShopView, 'shopId' | 'invitations'>;
  onChange: () => Promise<void>;
}

/** Lists the invitations into a shop that nobody has accepted yet. */
export function InvitationList({ shop: { shopId, invitations }, onChange }: InvitationListProps) {
  const t = useTranslations('AdminShop');
  const words = useStandingWords();
  const localDate = useLocalDate();
  const withdraw = useAction('POST /api/admin/shops/{shopId}/invitations/{invitationId}/withdraw', {
    refresh: onChange,
  });
  return (
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" className="font-semibold text-lg">
        {t('invitations')}
      </h2>
      {invitations.length === 0 ? <p className="text-muted">{t('noInvitations')}</p> : null}
      <ul className="grid gap-3">
        {invitations.map(({ invitationId, email, expiresAt, ...standing }) => (
          <li key={invitationId}>
            <Card className="flex flex-wrap items-center justify-between gap-3 p-4">
              <span className="min-w-0">
                <span className="block break-all font-medium">{email}</span>
                <span className="text-muted">
                  {t('invitedAs', { standing: words(standing), time: localDate(expiresAt, 'short') })}
                </span>
              </span>
              <ActionButton
                action={withdraw}
                aria-label={t('withdrawWhose', { email })}
                onPress={() => withdraw.mutate({ params: { shopId, invitationId } })}
              >
                {t('withdraw')}
              </ActionButton>
            </Card>
          </li>
        ))}
      </ul>
      <Problem error={withdraw.error} />
    </section>
  );
}
