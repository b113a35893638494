'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { clockStore } from '@/components/clock/clock-store';
import { useMay } from '@/components/session/use-may';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useLocalDate } from '@/components/ui/use-local-date';
import { useProblemText } from '@/components/ui/use-problem-text';
import type { AdminBlock } from '@/lib/contract/shapes/block';
import { useTell } from '../kit/use-tell';

const TIME = 'whitespace-nowrap tabular-nums';

/** One block, and the way to lift it. */
export function BlockRow({ block, onChange }: { block: AdminBlock; onChange: () => void }) {
  const t = useTranslations('Admin.blocks');
  const done = useTranslations('AdminDone');
  const localDate = useLocalDate();
  const problemText = useProblemText();
  const mayChange = useMay('operator');
  const { kind, value, email, reason, by, byEmail, createdAt, expiresAt, liftedAt } = block;
  const tell = useTell(onChange);
  const lift = useMutation({
    mutationFn: () => request('POST /api/admin/blocks/{id}/lift', { params: { id: block.id } }),
    onSuccess: () => {
      onChange();
      const who = { value: email ?? value };
      tell(done('blockLifted', who), {
        request: () => request('POST /api/admin/blocks', { body: { kind, value, reason, expiresAt } }),
        text: done('blockBack', who),
      });
    },
  });
  const hasExpired = expiresAt !== null && expiresAt <= clockStore().now();
  const end = () => {
    if (hasExpired) return t('expired', { time: localDate(expiresAt, 'short') });
    if (liftedAt !== null) return t('lifted', { time: localDate(liftedAt, 'short') });
    // With its year: a block may last for many.
    return expiresAt === null ? t('never') : localDate(expiresAt);
  };
  return (
    <tr>
      <th scope="row">
        <span className="block text-muted text-sm">{t(`kinds.${kind}`)}</span>
        <span className="break-all font-medium">{email ?? value}</span>
      </th>
      <td className="break-words">{reason}</td>
      <td className="break-all text-sm">{byEmail ?? by}</td>
      <td className={TIME}>{localDate(createdAt, 'short')}</td>
      <td className={TIME}>{end()}</td>
      <td>
        {!mayChange || hasExpired || liftedAt !== null ? null : (
          <ConfirmDialog
            trigger={<Button isBusy={lift.isPending}>{t('lift')}</Button>}
            title={t('liftTitle')}
            text={t('liftText', { value: email ?? value })}
            confirmLabel={t('confirm')}
            keepLabel={t('keep')}
            onConfirm={() => lift.mutate()}
          />
        )}
        {lift.error ? <p className="text-danger text-sm">{problemText(lift.error)}</p> : null}
      </td>
    </tr>
  );
}
