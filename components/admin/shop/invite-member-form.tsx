'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { SHOP_TOPICS } from '@/lib/contract/words/shop';
import { useAction } from '../kit/use-action';
import { type Standing, StandingFields } from './standing-fields';

/** Sends somebody a mail that invites them into the shop. */
export function InviteMemberForm({ shopId, onChange }: { shopId: string; onChange: () => Promise<void> }) {
  const t = useTranslations('AdminShop');
  const [email, setEmail] = useState('');
  const [standing, setStanding] = useState<Standing>({ role: 'editor', topics: [...SHOP_TOPICS] });
  const invite = useAction('POST /api/admin/shops/{shopId}/invitations', {
    says: (_, { body }) => ({ text: t('invited', { email: body.email }) }),
    onDone: () => setEmail(''),
    refresh: onChange,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ params: { shopId }, body: { email: email.trim(), ...standing } });
  };
  return (
    <Card className="p-5">
      <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('invite')}</h2>
        <p className="text-muted">{t('inviteText')}</p>
        <div className="flex flex-wrap items-start gap-4">
          <TextField
            label={t('email')}
            type="email"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            maxLength={254}
            autoComplete="off"
          />
          <StandingFields value={standing} onChange={setStanding} />
        </div>
        <Button
          type="submit"
          tone="primary"
          className="justify-self-start"
          isBusy={invite.isPending}
          disabled={email.trim() === ''}
        >
          {t('send')}
        </Button>
        {problemCode(invite.error) === 'RATE_LIMITED' ? (
          <Notice tone="danger" role="alert">
            {t('tooMany')}
          </Notice>
        ) : (
          <Problem error={invite.error} />
        )}
      </form>
    </Card>
  );
}
