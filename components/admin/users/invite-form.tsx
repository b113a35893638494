'use client';

import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import { STAFF_ROLES, type StaffRole } from '@/lib/contract/words/roles';
import { ChoiceField } from '../kit/choice-field';
import { useAction } from '../kit/use-action';
import { useFields } from '../kit/use-fields';

/** Makes a link with which a new person joins the admin area. The user who makes it hands it on. */
export function InviteForm() {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const localDate = useLocalDate();
  const { values, text, choice } = useFields<{ email: string; role: StaffRole }>({
    email: '',
    role: 'merchant',
  });
  const email = values.email.trim();
  const invite = useAction('POST /api/admin/invitations');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate({ body: { ...values, email } });
  };
  const { data, variables } = invite;
  return (
    <Card className="p-5">
      <form method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
        <h2 className="font-semibold text-lg">{t('invite.heading')}</h2>
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label={t('invite.email')}
            type="email"
            {...text('email')}
            maxLength={254}
            autoComplete="off"
          />
          <ChoiceField
            label={t('role')}
            {...choice('role')}
            choices={STAFF_ROLES}
            nameOf={(name) => roleWord(name)}
          />
          <Button type="submit" tone="primary" isBusy={invite.isPending} disabled={email === ''}>
            {t('invite.make')}
          </Button>
        </div>
        <Problem error={invite.error} />
        {data && variables ? (
          <Notice tone="success" role="status">
            <p>
              {t('invite.text', { email: variables.body.email, time: localDate(data.expiresAt, 'short') })}
            </p>
            <p className="select-all break-all font-medium">{data.url}</p>
          </Notice>
        ) : null}
      </form>
    </Card>
  );
}
