'use client';

import { useTranslations } from 'next-intl';
import { useId, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { UserView } from './user-api';
import { UserForm } from './user-form';

const CELL = 'px-4 py-3 text-left align-middle';

/** One account, and what can be done with it. */
export function UserRow({ user, onChange }: { user: UserView; onChange: () => void }) {
  const t = useTranslations('DeskUsers');
  const localDate = useLocalDate();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { email, name, role, level, createdAt, bannedAt } = user;
  return (
    <>
      <tr className="border-line border-b last:border-0 hover:bg-sunken">
        <th scope="row" className={`${CELL} font-normal`}>
          <span className="block break-all font-medium">{email}</span>
          <span className="break-words text-muted text-sm">{name}</span>
        </th>
        <td className={CELL}>
          <span className="flex flex-wrap gap-2">
            {t(`roles.${role}`)}
            {bannedAt === null ? null : (
              <Badge tone="danger">{t('bannedSince', { time: localDate(bannedAt, 'short') })}</Badge>
            )}
          </span>
        </td>
        <td className={`${CELL} tabular-nums`}>{level}</td>
        <td className={`${CELL} whitespace-nowrap tabular-nums`}>{localDate(createdAt, 'short')}</td>
        <td className={CELL}>
          <Button
            aria-expanded={isOpen}
            aria-controls={formId}
            aria-label={t('manageWhom', { email })}
            onClick={() => setIsOpen(!isOpen)}
          >
            {t('manage')}
          </Button>
        </td>
      </tr>
      {isOpen ? (
        <tr className="border-line border-b bg-sunken last:border-0">
          <td id={formId} colSpan={5} className="px-4 py-4">
            <UserForm key={`${role} ${level}`} user={user} onChange={onChange} />
          </td>
        </tr>
      ) : null}
    </>
  );
}
