'use client';

import { useTranslations } from 'next-intl';
import { useMay } from '@/components/session/use-may';
import { Problem } from '@/components/ui/problem';
import type { Person } from '@/lib/contract/shapes/person';
import { isStaff } from '@/lib/contract/words/roles';
import { ActionButton } from '../kit/action-button';
import { together, useAction } from '../kit/use-action';
import { useSendMail } from './use-send-mail';

/** Sends a person's mails again, and signs them out everywhere. */
export function HelpPerson({ user, onChange }: { user: Person['user']; onChange: () => void }) {
  const t = useTranslations('AdminPeople');
  const account = useTranslations('AdminUsers');
  const done = useTranslations('AdminDone.user');
  const mayManage = useMay('manageUsers');
  const { userId, email, role, emailVerifiedAt, bannedAt } = user;
  const mail = useSendMail(userId);
  const end = useAction('POST /api/admin/users/{userId}/revoke-sessions', {
    says: () => ({ text: done('revoked', { email }) }),
    refresh: onChange,
  });
  const all = together(mail, end);
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {bannedAt === null ? (
          <ActionButton action={all} onPress={() => mail.mutate({ kind: 'password_reset' })}>
            {t('mailPassword')}
          </ActionButton>
        ) : null}
        {bannedAt === null && emailVerifiedAt === null ? (
          <ActionButton action={all} onPress={() => mail.mutate({ kind: 'verification' })}>
            {t('mailVerification')}
          </ActionButton>
        ) : null}
        {mayManage || !isStaff(role) ? (
          <ActionButton
            action={all}
            tone="danger"
            ask={{ title: account('revokeTitle', { email }), text: account('revokeText') }}
            onPress={() => end.mutate({ params: { userId } })}
          >
            {account('revoke')}
          </ActionButton>
        ) : null}
      </div>
      <Problem error={all.error} />
    </div>
  );
}
