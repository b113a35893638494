'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { tellTabs } from '@/components/session/other-tabs';
import { useForgetVisitor } from '@/components/session/use-sign-out';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { WITHIN_MS } from './factor-action';
import { type FactorAction, type FactorFields, FactorForm, factorOf } from './factor-form';

/** Nothing else in the account needs another look after these. */
const OF_THE_FORM = ['PASSWORD_WRONG', 'FACTOR_CODE_WRONG', 'PASSKEY_WRONG', 'RATE_LIMITED'];

type DeleteFormProps = {
  /** For the browser's list of passwords. */
  email: string;
  /** Asks for the second factor, too. */
  needsCode: boolean;
  onDeleted: () => void;
  /** Called when something is in the way that was not before. */
  onRefused: () => void;
};

/** Deletes the visitor's account, by its password and perhaps a second factor, after asking again. */
export function DeleteForm({ email, needsCode, onDeleted, onRefused }: DeleteFormProps) {
  const t = useTranslations('Account');
  const forget = useForgetVisitor();
  const [pressed, setPressed] = useState<Parameters<FactorAction['mutate']> | null>(null);
  const factors = useQuery({
    queryKey: ['factors'],
    queryFn: ({ signal }) => request('GET /api/account/factors', { signal }),
    enabled: needsCode,
  });
  const remove = useMutation({
    mutationFn: (given: FactorFields) =>
      request('POST /api/account/deletion', {
        body: { currentPassword: given.currentPassword, ...factorOf(given) },
        timeoutMs: WITHIN_MS,
      }),
    onSuccess: async () => {
      onDeleted();
      tellTabs('signed-out');
      await forget();
    },
    onError: (error) => {
      if (!OF_THE_FORM.includes(problemCode(error) ?? '')) onRefused();
    },
  });
  return (
    <>
      <FactorForm
        email={email}
        asks={needsCode ? ['currentPassword', 'code'] : ['currentPassword']}
        label={t('deletePress')}
        hasPasskey={(factors.data?.passkeys.length ?? 0) > 0}
        isDangerous
        // Return in a field presses the button, too: nothing is deleted before the dialog has asked.
        action={{ ...remove, mutate: (...press) => setPressed(press) }}
      />
      <ConfirmDialog
        isOpen={pressed !== null}
        onClose={() => setPressed(null)}
        title={t('deleteTitle')}
        text={t('deleteAsk', { email })}
        confirmLabel={t('deletePress')}
        keepLabel={t('deleteKeep')}
        isDangerous
        onConfirm={() => pressed && remove.mutate(...pressed)}
      />
    </>
  );
}
