'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { useHashToken } from '@/components/ui/use-hash-token';
import { useProblemText } from '@/components/ui/use-problem-text';
import { AcceptForm } from './accept-form';

/** The page an invitation's link leads to: its token is after the #. */
export function InvitePage() {
  const t = useTranslations('Invite');
  const token = useHashToken();
  const problemText = useProblemText();
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => request('POST /api/invitations/look', { body: { token: token ?? '' } }),
    enabled: Boolean(token),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token && data) return <AcceptForm key={token} invitation={data} token={token} />;
  if (error || token === '') {
    return (
      <Notice tone="danger" role="alert">
        {problemText(error ?? 'INVITATION_INVALID')}
      </Notice>
    );
  }
  return <p className="text-muted">{t('looking')}</p>;
}
