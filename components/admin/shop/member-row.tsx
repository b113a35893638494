'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { ShopMemberView } from '@/lib/contract/shapes/team';
import { ActionButton } from '../kit/action-button';
import { OpenRow } from '../kit/open-row';
import { together, useAction } from '../kit/use-action';
import { StandingFields } from './standing-fields';
import { useStandingWords } from './use-standing-words';

interface MemberRowProps {
  shopId: string;
  member: ShopMemberView;
  isSelf: boolean;
  mayChange: boolean;
  onChange: () => Promise<void>;
}

/** Shows one member of a shop, and for its owners what can be changed. Everybody can leave. */
export function MemberRow(props: MemberRowProps) {
  const { member, isSelf, mayChange } = props;
  const t = useTranslations('AdminShop');
  const words = useStandingWords();
  const localDate = useLocalDate();
  const { email, name, since } = member;
  return (
    <OpenRow
      count={3}
      label={t('manage')}
      name={t('manageWhom', { email })}
      cells={
        <>
          <th scope="row">
            <span className="block break-all font-medium">{email}</span>
            <span className="flex flex-wrap items-center gap-2 text-muted text-sm">
              {name}
              {isSelf ? <Badge>{t('you')}</Badge> : null}
            </span>
            {/* On a phone there is no room for a column of its own. */}
            <span className="mt-1 block sm:hidden">{words(member)}</span>
          </th>
          <td className="max-sm:hidden">{words(member)}</td>
          <td className="whitespace-nowrap tabular-nums max-sm:hidden">{localDate(since, 'short')}</td>
        </>
      }
    >
      {mayChange || isSelf ? <MemberForm key={words(member)} {...props} /> : null}
    </OpenRow>
  );
}

function MemberForm({ shopId, member, isSelf, mayChange, onChange }: MemberRowProps) {
  const t = useTranslations('AdminShop');
  const words = useStandingWords();
  const { userId, email } = member;
  const params = { shopId, userId };
  const [standing, setStanding] = useState({ role: member.role, topics: member.topics });
  const save = useAction('PATCH /api/admin/shops/{shopId}/members/{userId}', {
    says: () => ({ text: t('saved', { email, standing: words(standing) }) }),
    refresh: onChange,
  });
  const remove = useAction('POST /api/admin/shops/{shopId}/members/{userId}/remove', {
    says: () => ({ text: t(isSelf ? 'left' : 'removed', { email }) }),
    refresh: onChange,
  });
  const all = together(save, remove);
  return (
    <div className="grid gap-4">
      {mayChange ? (
        <div className="flex flex-wrap items-start gap-4">
          <StandingFields value={standing} onChange={setStanding} />
          <ActionButton
            action={all}
            tone="primary"
            className="sm:mt-7"
            disabled={words(standing) === words(member)}
            onPress={() => save.mutate({ params, body: standing })}
          >
            {t('save')}
          </ActionButton>
        </div>
      ) : null}
      <ActionButton
        action={all}
        tone="danger"
        className="justify-self-start"
        ask={{
          title: t(isSelf ? 'leaveTitle' : 'removeTitle', { email }),
          text: t(isSelf ? 'leaveText' : 'removeText'),
        }}
        onPress={() => remove.mutate({ params })}
      >
        {t(isSelf ? 'leave' : 'remove')}
      </ActionButton>
      <Problem error={all.error} />
    </div>
  );
}
