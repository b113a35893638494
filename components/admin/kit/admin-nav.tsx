'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { useMay } from '@/components/session/use-may';
import { useSession } from '@/components/session/use-session';
import { cn } from '@/components/ui/cn';
import { Link, usePathname } from '@/i18n/navigation';
import { may, type Permission } from '@/lib/contract/words/roles';

/** The pages of the admin area in the order of the menu. A user sees those they may open. */
const PAGES = [
  { name: 'sales', href: '/admin/sales', permission: 'seeAdmin' },
  { name: 'products', href: '/admin/products', permission: 'seeAdmin' },
  { name: 'campaigns', href: '/admin/campaigns', permission: 'seeAdmin' },
  { name: 'shop', href: '/admin/shop', permission: 'seeAdmin' },
  { name: 'orders', href: '/admin/orders', permission: 'seeAdmin' },
  { name: 'money', href: '/admin/money', permission: 'seeAdmin' },
  { name: 'why', href: '/admin/why', permission: 'trace' },
  { name: 'people', href: '/admin/people', permission: 'helpPeople' },
  { name: 'alerts', href: '/admin/alerts', permission: 'seeAdmin' },
  { name: 'approvals', href: '/admin/approvals', permission: 'seeAdmin' },
  { name: 'queues', href: '/admin/queues', permission: 'seeAdmin' },
  { name: 'reconcile', href: '/admin/reconcile', permission: 'seeAdmin' },
  { name: 'risk', href: '/admin/risk', permission: 'seeShop' },
  { name: 'switchboard', href: '/admin/switchboard', permission: 'seeShop' },
  { name: 'blocks', href: '/admin/blocks', permission: 'seeShop' },
  { name: 'audit', href: '/admin/audit', permission: 'seeAudit' },
  { name: 'users', href: '/admin/users', permission: 'manageUsers' },
  { name: 'mails', href: '/admin/mails', permission: 'setUp' },
  { name: 'setup', href: '/admin/setup', permission: 'setUp' },
] as const satisfies { name: string; href: string; permission: Permission }[];

const BAR = 'h-[calc(2.75rem+1px)] border-line border-b bg-panel';

/** The menu of the admin area's pages. */
export function AdminNav() {
  const t = useTranslations('AdminNav');
  const pathname = usePathname();
  const session = useSession();
  const maySee = useMay('seeAdmin');
  const list = useRef<HTMLUListElement>(null);
  const isShown = session.status === 'signed_in';
  // biome-ignore lint/correctness/useExhaustiveDependencies(pathname): another page is the one the reader is on
  useEffect(() => {
    if (isShown) showCurrent(list.current);
  }, [isShown, pathname]);
  // Empty while nobody knows who is there: the page below must not move when the menu comes.
  if (session.status === 'loading') return <div className={BAR} />;
  if (session.status === 'signed_out' || !maySee) return null;
  const { role } = session.user;
  return (
    <nav aria-label={t('label')} className={BAR}>
      <ul
        ref={list}
        className="mx-auto flex max-w-6xl gap-1 overflow-x-auto px-4 [scrollbar-width:none] sm:px-6"
      >
        {PAGES.filter(({ permission }) => may(role, permission)).map(({ name, href }) => {
          const isHere = pathname === href || pathname.startsWith(`${href}/`);
          return (
            <li key={name}>
              <Link
                href={href}
                prefetch={false}
                aria-current={isHere ? 'page' : undefined}
                className={cn(
                  'inline-flex min-h-11 items-center whitespace-nowrap border-b-2 px-2.5',
                  isHere ? 'border-text font-semibold' : 'border-transparent text-muted hover:text-text',
                )}
              >
                {t(name)}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Scrolls the menu so that the current page is in sight: a phone has no room for all pages. */
function showCurrent(list: HTMLUListElement | null): void {
  const current = list?.querySelector('[aria-current=page]');
  if (!list || !current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
