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
import { PersonLink } from '../kit/person-link';
import { ReasonForm } from '../kit/reason-form';
import { together, useAction, useActionOf } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { wholeNumber } from './whole-number';

type Standing = Pick<UserView, 'role' | 'level'>;

/** The actions of a single button: their paths, and the words for what they have done. */
const ACTS = {
  revoke: { path: 'revoke-sessions', done: 'revoked' },
  removeFactors: { path: 'remove-factors', done: 'factorsRemoved' },
  unban: { path: 'unban', done: 'unbanned' },
} as const;
type Act = keyof typeof ACTS;

/** Edits the role and level of an account, ends its sessions, removes a lost second factor, and bans it or lets it in again. */
export function UserForm({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const done = useTranslations('AdminDone.user');
  const { userId, email, role, level, bannedAt, secondFactorAt } = user;
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
  const act = useActionOf(
    (what: Act) => request(`POST /api/admin/users/{userId}/${ACTS[what].path}`, { params }),
    { says: (_, what) => ({ text: done(ACTS[what].done, { email }) }), refresh: onChange },
  );
  // The ban has no exact undo: letting an account in again also ends a block that existed before the ban.
  const ban = useAction('POST /api/admin/users/{userId}/ban', {
    says: () => ({ text: done('banned', { email }) }),
    refresh: onChange,
  });
  const all = together(save, act, ban);
  const ask = (what: Act | 'ban') => ({
    title: t(`${what}Title`, { email }),
    text: t(`${what}Text`),
    keepLabel: t('keep'),
    confirmLabel: t('confirm'),
  });
  const button = (what: Act, look: { tone?: 'danger'; className?: string } = {}) => (
    <ActionButton {...look} action={all} ask={ask(what)} onPress={() => act.mutate(what)}>
      {t(what)}
    </ActionButton>
  );
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <StandingFields
          user={user}
          action={all}
          onSave={(after) => save.mutate({ before: { role, level }, after })}
        />
        {button('revoke')}
        {secondFactorAt === null ? null : button('removeFactors', { tone: 'danger' })}
      </div>
      {bannedAt === null ? (
        <ReasonForm
          isRow
          action={all}
          label={t('reason')}
          button={t('ban')}
          tone="danger"
          ask={ask('ban')}
          onSend={(body) => ban.mutate({ params, body })}
        />
      ) : (
        button('unban', { className: 'justify-self-start' })
      )}
      <Problem error={all.error} />
      <PersonLink userId={userId}>{t('help')}</PersonLink>
    </div>
  );
}

interface StandingFieldsProps {
  user: UserView;
  action: { isPending: boolean };
  onSave: (after: Standing) => void;
}

/** Asks for another role or level, and says before it is saved what that means. */
function StandingFields({ user, action, onSave }: StandingFieldsProps) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const { values, text, choice } = useFields<{ role: Role; level: string }>({
    role: user.role,
    level: String(user.level),
  });
  const { role } = values;
  const level = wholeNumber(values.level);
  const isLevel = level <= MAX_LEVEL;
  const isSame = role === user.role && level === user.level;
  return (
    <>
      <ChoiceField label={t('role')} {...choice('role')} choices={ROLES} nameOf={(name) => roleWord(name)} />
      <TextField
        label={t('givenLevel')}
        inputMode="numeric"
        {...text('level')}
        error={isLevel ? null : t('levelWrong', { max: MAX_LEVEL })}
      />
      <ActionButton
        action={action}
        tone="primary"
        disabled={!isLevel || isSame}
        ask={{
          title: t('saveTitle', { email: user.email }),
          text:
            role === user.role
              ? t('levelText', { level })
              : t('roleText', { role: roleWord(role), can: t(`can.${role}`) }),
          keepLabel: t('keep'),
          confirmLabel: t('confirm'),
        }}
        onPress={() => onSave({ role, level })}
      >
        {t('save')}
      </ActionButton>
    </>
  );
}
