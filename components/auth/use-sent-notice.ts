'use client';

import { useTranslations } from 'next-intl';
import { formatShort } from '@/components/clock/countdown-parts';
import { useIsClient } from '@/components/ui/use-is-client';
import { isFormNotice } from '@/lib/http/form-notices';

/**
 * Returns the outcome, from the page's address, of a form that the browser sent before the script had loaded.
 * @param isWanted false: something has happened since
 */
export function useSentNotice(isWanted: boolean): string | null {
  const t = useTranslations('Auth');
  const isClient = useIsClient();
  if (!isClient || !isWanted) return null;
  const query = new URLSearchParams(window.location.search);
  const notice = query.get('notice') ?? '';
  if (!isFormNotice(notice)) return null;
  if (notice !== 'wait') return t(`notices.${notice}`);
  const seconds = Number(query.get('wait'));
  return t('wait', { time: formatShort(Number.isFinite(seconds) ? seconds * 1_000 : 0) });
}
