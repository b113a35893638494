'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { UserView } from '@/lib/contract/shapes/user';
import { UserForm } from './user-form';

/** Shows one account, with the form to manage it. */
export function UserRow({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const localDate = useLocalDate();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
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
    <>
      <tr>
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
        <td>
          {deletedAt === null ? (
            <Button
              aria-expanded={isOpen}
              aria-controls={formId}
              aria-label={t('manageWhom', { email })}
              onClick={() => setIsOpen(!isOpen)}
            >
              {t('manage')}
            </Button>
          ) : null}
        </td>
      </tr>
      {isOpen ? (
        <tr className="bg-sunken">
          <td id={formId} colSpan={5}>
            <UserForm key={`${role} ${level}`} user={user} onChange={onChange} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
