'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { UserView } from '@/lib/contract/shapes/user';
import { MAX_LEVEL } from '@/lib/contract/words/level';
import { ROLES, type Role } from '@/lib/contract/words/roles';
import { ActionButton } from '../kit/action-button';
import { ChoiceField } from '../kit/choice-field';
import { ReasonForm } from '../kit/reason-form';
import { together, useAction, useActionOf } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { wholeNumber } from './whole-number';

type Standing = Pick<UserView, 'role' | 'level'>;

/** Edits the role and level of an account, ends its sessions, removes a lost second factor, and bans it or lets it in again. */
export function UserForm({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const done = useTranslations('AdminDone.user');
  const { userId, email, bannedAt, secondFactorAt } = user;
  const { values, text, choice } = useFields<{ role: Role; level: string }>({
    role: user.role,
    level: String(user.level),
  });
  const { role, level } = values;
  const params = { userId };
  const changedWords = (to: Standing) => done('changed', { email, role: roleWord(to.role), level: to.level });
  const edit = (before: Standing, to: Standing) =>
    request('PATCH /api/admin/users/{userId}', { params, body: { ...to, before } });
  const save = useActionOf(({ before, after }: Record<'before' | 'after', Standing>) => edit(before, after), {
    says: (_, { before, after }) => ({
      text: changedWords(after),
      undo: { request: () => edit(after, before), text: changedWords(before) },
    }),
    refresh: onChange,
  });
  const settings = (what: 'revoked' | 'factorsRemoved' | 'banned' | 'unbanned') => ({
    says: () => ({ text: done(what, { email }) }),
    refresh: onChange,
  });
  const revoke = useAction('POST /api/admin/users/{userId}/revoke-sessions', settings('revoked'));
  const removeFactors = useAction(
    'POST /api/admin/users/{userId}/remove-factors',
    settings('factorsRemoved'),
  );
  // The ban has no exact undo: letting an account in again also ends a block that existed before the ban.
  const ban = useAction('POST /api/admin/users/{userId}/ban', settings('banned'));
  const unban = useAction('POST /api/admin/users/{userId}/unban', settings('unbanned'));
  const all = together(save, revoke, removeFactors, ban, unban);
  const levelNumber = wholeNumber(level);
  const isLevel = levelNumber <= MAX_LEVEL;
  const isSame = role === user.role && levelNumber === user.level;
  const labels = { keepLabel: t('keep'), confirmLabel: t('confirm') };
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <ChoiceField
          label={t('role')}
          {...choice('role')}
          choices={ROLES}
          nameOf={(name) => roleWord(name)}
        />
        <TextField
          label={t('givenLevel')}
          inputMode="numeric"
          {...text('level')}
          error={isLevel ? null : t('levelWrong', { max: MAX_LEVEL })}
        />
        <ActionButton
          action={all}
          tone="primary"
          disabled={!isLevel || isSame}
          ask={{
            title: t('saveTitle', { email }),
            text:
              role === user.role
                ? t('levelText', { level: levelNumber })
                : t('roleText', { role: roleWord(role), can: t(`can.${role}`) }),
            ...labels,
          }}
          onPress={() =>
            save.mutate({
              before: { role: user.role, level: user.level },
              after: { role, level: levelNumber },
            })
          }
        >
          {t('save')}
        </ActionButton>
        <ActionButton
          action={all}
          ask={{ title: t('revokeTitle', { email }), text: t('revokeText'), ...labels }}
          onPress={() => revoke.mutate({ params })}
        >
          {t('revoke')}
        </ActionButton>
        {secondFactorAt === null ? null : (
          <ActionButton
            action={all}
            tone="danger"
            ask={{ title: t('removeFactorsTitle', { email }), text: t('removeFactorsText'), ...labels }}
            onPress={() => removeFactors.mutate({ params })}
          >
            {t('removeFactors')}
          </ActionButton>
        )}
      </div>
      {bannedAt === null ? (
        <ReasonForm
          isRow
          action={all}
          label={t('reason')}
          button={t('ban')}
          tone="danger"
          ask={{ title: t('banTitle', { email }), text: t('banText'), ...labels }}
          onSend={(body) => ban.mutate({ params, body })}
        />
      ) : (
        <ActionButton
          action={all}
          className="justify-self-start"
          ask={{ title: t('unbanTitle', { email }), text: t('unbanText'), ...labels }}
          onPress={() => unban.mutate({ params })}
        >
          {t('unban')}
        </ActionButton>
      )}
      <Problem error={all.error} />
    </div>
  );
}
