'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SignInPrompt } from '@/components/session/sign-in-prompt';
import { useSession } from '@/components/session/use-session';
import { CenteredMessage } from '@/components/ui/centered-message';
import { useIsClient } from '@/components/ui/use-is-client';
import { usePathname } from '@/i18n/navigation';
import { may, type Permission } from '@/lib/contract/words/roles';
import { FactorNeeded } from './factor-needed';
import { FirstAnswers } from './first-answers';

interface AdminGateProps {
  children: ReactNode;
  /** The permission that shows the children. Without it, everybody who may see the admin area sees them. */
  permission?: Permission;
  /** The text for users without the permission. */
  refusal?: string;
}

/**
 * Shows the children to users with the permission and tells everybody else what to do. The server checks again at
 * every request.
 */
export function AdminGate({ children, permission = 'seeAdmin', refusal }: AdminGateProps) {
  const t = useTranslations('Common');
  const layout = useTranslations('Layout');
  const session = useSession();
  const pathname = usePathname();
  const isClient = useIsClient();
  if (!isClient || session.status === 'loading') return <p className="text-lg text-muted">{t('loading')}</p>;
  if (session.status === 'signed_out')
    return <SignInPrompt text={t('signInFirst')} callbackPath={pathname} />;
  if (!may(session.user.role, permission))
    return <CenteredMessage heading={layout('admin')} text={refusal ?? t('forbidden')} />;
  if (session.user.needsFactor) return <FactorNeeded />;
  return <FirstAnswers>{children}</FirstAnswers>;
}
