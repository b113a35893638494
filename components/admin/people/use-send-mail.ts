'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import type { PersonMail } from '@/lib/contract/words/person-mail';
import { useActionOf } from '../kit/use-action';

/** Sends a person a mail once more. */
export function useSendMail(userId: string) {
  const done = useTranslations('AdminDone.person');
  return useActionOf(
    (body: { kind: PersonMail; orderNo?: string }) =>
      request('POST /api/admin/people/{userId}/mails', { params: { userId }, body }),
    { says: ({ sentTo }) => ({ text: done('mailed', { email: sentTo }) }) },
  );
}
