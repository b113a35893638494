'use client';

import { useTranslations } from 'next-intl';
import { cn } from '@/components/ui/cn';
import { navLinkStyle } from '@/components/ui/nav-link-style';
import { Link } from '@/i18n/navigation';
import { useUnread } from './use-unread';

const MOST_SHOWN = 99;

/** Links to the shopper's notices and shows how many are unread. */
export function Bell() {
  const t = useTranslations('Layout');
  const unread = useUnread();
  return (
    <Link
      href="/notifications"
      prefetch={false}
      className={cn(navLinkStyle, 'relative min-w-11 justify-center')}
      aria-label={unread === 0 ? t('bell') : t('bellUnread', { count: unread })}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="size-6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15L6 16Z" />
        <path d="M10 20.5a2 2 0 0 0 4 0" />
      </svg>
      {unread > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0.5 min-w-5 rounded-full bg-text px-1 text-center font-semibold text-panel text-xs leading-5 tabular-nums"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      ) : null}
    </Link>
  );
}
