'use client';

import { useTranslations } from 'next-intl';
import { Link } from '@/i18n/navigation';
import type { Home } from '@/lib/contract/shapes/home';
import { HomeCard, LARGE, LINK } from './home-card';

/** Lists what waits for somebody, with the way to each. */
export function NeedsList({ needs, drafts }: Pick<Home, 'needs' | 'drafts'>) {
  const t = useTranslations('AdminHome');
  const all = [
    { name: 'alerts', count: needs.alerts, href: '/admin/alerts' },
    { name: 'approvals', count: needs.approvals, href: '/admin/approvals' },
    { name: 'deadLetters', count: needs.deadLetters, href: '/admin/queues' },
    { name: 'webhooks', count: needs.webhooks, href: '/admin/webhooks' },
    { name: 'drafts', count: drafts, href: '/admin/sales?status=draft' },
  ] as const;
  const open = all.filter(({ count }) => count > 0);
  return (
    <HomeCard heading={t('needs')}>
      {open.length === 0 ? <p className={LARGE}>{t('noNeeds')}</p> : null}
      <ul className="grid">
        {open.map(({ name, count, href }) => (
          <li key={name}>
            <Link href={href} prefetch={false} className={LINK}>
              {t(name, { count })}
            </Link>
          </li>
        ))}
      </ul>
    </HomeCard>
  );
}
