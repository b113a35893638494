'use client';

import { useTranslations } from 'next-intl';
import { Badge } from '@/components/ui/badge';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { UserView } from '@/lib/contract/shapes/user';
import { OpenRow } from '../kit/open-row';
import { UserForm } from './user-form';

/** Shows one account, with the form to manage it. */
export function UserRow({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const localDate = useLocalDate();
  const { email, name, role, level, currentLevel, createdAt, bannedAt, deletedAt } = user;
  const standing = (
    <>
      {roleWord(role)}
      {deletedAt === null ? null : (
        <Badge>{t('deletedSince', { time: localDate(deletedAt, 'short') })}</Badge>
      )}
      {bannedAt === null || deletedAt !== null ? null : (
        <Badge tone="danger">{t('bannedSince', { time: localDate(bannedAt, 'short') })}</Badge>
      )}
    </>
  );
  return (
    <OpenRow
      count={4}
      label={t('manage')}
      name={t('manageWhom', { email })}
      cells={
        <>
          <th scope="row">
            <span className="block break-all font-medium">{email}</span>
            <span className="block break-words text-muted text-sm">
              <bdi>{name}</bdi>
            </span>
            {/* On a phone there is no room for a column of its own. */}
            <span className="mt-1 flex flex-wrap gap-2 sm:hidden">{standing}</span>
          </th>
          <td className="max-sm:hidden">
            <span className="flex flex-wrap gap-2">{standing}</span>
          </td>
          <td className="tabular-nums max-sm:hidden">
            {currentLevel}
            {level > 0 && level < currentLevel ? (
              <span className="block text-muted text-sm">{t('given', { level })}</span>
            ) : null}
          </td>
          <td className="whitespace-nowrap tabular-nums max-sm:hidden">{localDate(createdAt, 'short')}</td>
        </>
      }
    >
      {deletedAt === null ? <UserForm key={`${role} ${level}`} user={user} onChange={onChange} /> : null}
    </OpenRow>
  );
}
