'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { useMay } from '@/components/session/use-may';
import { Problem } from '@/components/ui/problem';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { AdminBlock } from '@/lib/contract/shapes/block';
import { ActionButton } from '../kit/action-button';
import { useAction } from '../kit/use-action';

const TIME = 'whitespace-nowrap tabular-nums';

/** Shows one block, with a button that lifts it. */
export function BlockRow({ block, onChange }: { block: AdminBlock; onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const mayChange = useMay('operator');
  const { kind, value, email, reason, by, byEmail, createdAt, expiresAt, liftedAt } = block;
  const who = { value: email ?? value };
  const lift = useAction('POST /api/admin/blocks/{id}/lift', {
    says: () => ({
      text: done('blockLifted', who),
      undo: {
        request: () => request('POST /api/admin/blocks', { body: { kind, value, reason, expiresAt } }),
        text: done('blockBack', who),
      },
    }),
    refresh: onChange,
  });
  const hasExpired = expiresAt !== null && expiresAt <= clockStore().now();
  const end = () => {
    if (hasExpired) return t('expired', { time: localDate(expiresAt, 'short') });
    if (liftedAt !== null) return t('lifted', { time: localDate(liftedAt, 'short') });
    // Shows the year too: a block may last for many.
    return expiresAt === null ? t('never') : localDate(expiresAt);
  };
  return (
    <tr>
      <th scope="row">
        <span className="block text-muted text-sm">{t(`kinds.${kind}`)}</span>
        <span className="break-all font-medium">{email ?? value}</span>
      </th>
      <td className="break-words">
        <bdi>{reason}</bdi>
      </td>
      <td className="break-all text-sm">{byEmail ?? by}</td>
      <td className={TIME}>{localDate(createdAt, 'short')}</td>
      <td className={TIME}>{end()}</td>
      <td>
        {!mayChange || hasExpired || liftedAt !== null ? null : (
          <ActionButton
            action={lift}
            ask={{
              title: t('liftTitle'),
              text: t('liftText', who),
              confirmLabel: t('confirm'),
              keepLabel: t('keep'),
            }}
            onPress={() => lift.mutate({ params: { id: block.id } })}
          >
            {t('lift')}
          </ActionButton>
        )}
        <Problem isSmall error={lift.error} />
      </td>
    </tr>
  );
}
