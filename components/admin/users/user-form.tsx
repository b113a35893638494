'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { SelectField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { UserView } from '@/lib/contract/shapes/user';
import { ROLES, type Role } from '@/lib/contract/words/roles';
import { useTell } from '../kit/use-tell';

const MAX_LEVEL = 1_000;

type Standing = Pick<UserView, 'role' | 'level'>;

/** Role and level of an account, its sessions, and whether it is let in. */
export function UserForm({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const done = useTranslations('AdminDone.user');
  const { userId, email, bannedAt } = user;
  const [role, setRole] = useState<Role>(user.role);
  const [level, setLevel] = useState(String(user.level));
  const [reason, setReason] = useState('');
  const tell = useTell(onChange);
  const act = useMutation({
    mutationFn: ({ send }: { send: () => Promise<unknown>; onDone: () => void }) => send(),
    onSuccess: (_, { onDone }) => onDone(),
    onSettled: onChange,
  });
  const params = { userId };
  const edit = (before: Standing, to: Standing) =>
    request('PATCH /api/admin/users/{userId}', { params, body: { ...to, before } });
  const levelNumber = /^\d{1,4}$/.test(level.trim()) ? Number(level) : Number.NaN;
  const isLevel = levelNumber <= MAX_LEVEL;
  const isSame = role === user.role && levelNumber === user.level;
  const changedWords = (to: Standing) => done('changed', { email, role: roleWord(to.role), level: to.level });
  const [keepLabel, confirmLabel] = [t('keep'), t('confirm')];
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label={t('role')}
          value={role}
          onChange={({ target }) => setRole(ROLES.find((known) => known === target.value) ?? role)}
        >
          {ROLES.map((name) => (
            <option key={name} value={name}>
              {roleWord(name)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('level')}
          inputMode="numeric"
          value={level}
          onChange={({ target }) => setLevel(target.value)}
          error={isLevel ? null : t('levelWrong', { max: MAX_LEVEL })}
        />
        <ConfirmDialog
          trigger={
            <Button tone="primary" isBusy={act.isPending} disabled={!isLevel || isSame}>
              {t('save')}
            </Button>
          }
          title={t('saveTitle', { email })}
          text={
            role === user.role
              ? t('levelText', { level: levelNumber })
              : t('roleText', { role: roleWord(role), can: t(`can.${role}`) })
          }
          keepLabel={keepLabel}
          confirmLabel={confirmLabel}
          onConfirm={() => {
            const [before, after] = [
              { role: user.role, level: user.level },
              { role, level: levelNumber },
            ];
            act.mutate({
              send: () => edit(before, after),
              onDone: () =>
                tell(changedWords(after), {
                  request: () => edit(after, before),
                  text: changedWords(before),
                }),
            });
          }}
        />
        <ConfirmDialog
          trigger={<Button isBusy={act.isPending}>{t('revoke')}</Button>}
          title={t('revokeTitle', { email })}
          text={t('revokeText')}
          keepLabel={keepLabel}
          confirmLabel={confirmLabel}
          onConfirm={() =>
            act.mutate({
              send: () => request('POST /api/admin/users/{userId}/revoke-sessions', { params }),
              onDone: () => tell(done('revoked', { email })),
            })
          }
        />
      </div>
      {bannedAt === null ? (
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label={t('reason')}
            value={reason}
            maxLength={500}
            onChange={({ target }) => setReason(target.value)}
          />
          <ConfirmDialog
            trigger={
              <Button tone="danger" isBusy={act.isPending} disabled={reason.trim() === ''}>
                {t('ban')}
              </Button>
            }
            title={t('banTitle', { email })}
            text={t('banText')}
            keepLabel={keepLabel}
            confirmLabel={confirmLabel}
            isDangerous
            onConfirm={() =>
              act.mutate({
                send: () =>
                  request('POST /api/admin/users/{userId}/ban', {
                    params,
                    body: { reason: reason.trim() },
                  }),
                // Letting in again also ends a block that was there before, so it takes back more than this.
                onDone: () => tell(done('banned', { email })),
              })
            }
          />
        </div>
      ) : (
        <ConfirmDialog
          trigger={
            <Button className="justify-self-start" isBusy={act.isPending}>
              {t('unban')}
            </Button>
          }
          title={t('unbanTitle', { email })}
          text={t('unbanText')}
          keepLabel={keepLabel}
          confirmLabel={confirmLabel}
          onConfirm={() =>
            act.mutate({
              send: () => request('POST /api/admin/users/{userId}/unban', { params }),
              onDone: () => tell(done('unbanned', { email })),
            })
          }
        />
      )}
      <Problem error={act.error} />
    </div>
  );
}
