'use client';

import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import type { PersonMail } from '@/lib/contract/shapes/person';
import { useActionOf } from '../kit/use-action';

/** Sends a person a mail again. */
export function useSendMail(userId: string) {
  const done = useTranslations('AdminDone.person');
  return useActionOf(
    (body: PersonMail) => request('POST /api/admin/people/{userId}/mails', { params: { userId }, body }),
    { says: ({ sentTo }) => ({ text: done('mailed', { email: sentTo }) }) },
  );
}
