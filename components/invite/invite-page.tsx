'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { useIsClient } from '@/components/ui/use-is-client';
import { useProblemText } from '@/components/ui/use-problem-text';
import { AcceptForm } from './accept-form';

/** Where an invitation's link leads: its token is behind the #. */
export function InvitePage() {
  const t = useTranslations('Invite');
  const isClient = useIsClient();
  const token = isClient ? window.location.hash.slice(1) : '';
  const problemText = useProblemText();
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => request('POST /api/invitations/look', { body: { token } }),
    enabled: isClient && token !== '',
    retry: (count, failure) => count < 3 && failure instanceof ApiProblem && failure.isTransient,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <AcceptForm invitation={data} token={token} />;
  if (isClient && (error || token === '')) {
    return (
      <Notice tone="danger" role="alert">
        {problemText(error ?? 'INVITATION_INVALID')}
      </Notice>
    );
  }
  return <p className="text-muted">{t('looking')}</p>;
}
