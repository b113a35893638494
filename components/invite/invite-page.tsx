'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useSyncExternalStore } from 'react';
import { request } from '@/components/api/request';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { AcceptForm } from './accept-form';

/**
 * Returns the link's token: '' if it has none, null until the page has hydrated. Opening another link in the same tab
 * changes only the token.
 */
const useToken = () =>
  useSyncExternalStore<string | null>(
    (onChange) => {
      window.addEventListener('hashchange', onChange);
      return () => window.removeEventListener('hashchange', onChange);
    },
    () => window.location.hash.slice(1),
    () => null,
  );

/** The page an invitation's link leads to: its token is after the #. */
export function InvitePage() {
  const t = useTranslations('Invite');
  const token = useToken();
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
