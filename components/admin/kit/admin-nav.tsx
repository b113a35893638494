'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { useSession } from '@/components/session/use-session';
import { cn } from '@/components/ui/cn';
import { Link, usePathname } from '@/i18n/navigation';
import { may, type Permission } from '@/lib/contract/words/roles';

type NavPage = { name: string; href: string; permission: Permission };

const HOME = '/admin';

/** The pages of the admin area by topic, in the order of the menu. A user sees those they may open. */
const GROUPS = [
  {
    name: 'sell',
    pages: [
      { name: 'home', href: HOME, permission: 'seeAdmin' },
      { name: 'sales', href: '/admin/sales', permission: 'seeAdmin' },
      { name: 'products', href: '/admin/products', permission: 'seeAdmin' },
      { name: 'campaigns', href: '/admin/campaigns', permission: 'seeAdmin' },
    ],
  },
  {
    name: 'buyers',
    pages: [
      { name: 'orders', href: '/admin/orders', permission: 'seeAdmin' },
      { name: 'people', href: '/admin/people', permission: 'seePeople' },
      { name: 'why', href: '/admin/why', permission: 'trace' },
    ],
  },
  {
    name: 'watch',
    pages: [
      { name: 'alerts', href: '/admin/alerts', permission: 'seeAdmin' },
      { name: 'approvals', href: '/admin/approvals', permission: 'seeAdmin' },
      { name: 'queues', href: '/admin/queues', permission: 'seeAdmin' },
      { name: 'reconcile', href: '/admin/reconcile', permission: 'seeAdmin' },
      { name: 'audit', href: '/admin/audit', permission: 'seeAudit' },
    ],
  },
  {
    name: 'protect',
    pages: [
      { name: 'risk', href: '/admin/risk', permission: 'seeShop' },
      { name: 'blocks', href: '/admin/blocks', permission: 'seeShop' },
      { name: 'switchboard', href: '/admin/switchboard', permission: 'seeShop' },
    ],
  },
  {
    name: 'settings',
    pages: [
      { name: 'shop', href: '/admin/shop', permission: 'seeAdmin' },
      { name: 'pages', href: '/admin/pages', permission: 'manageSite' },
      { name: 'mails', href: '/admin/mails', permission: 'manageSite' },
      { name: 'webhooks', href: '/admin/webhooks', permission: 'manageShop' },
      { name: 'setup', href: '/admin/setup', permission: 'operator' },
      { name: 'users', href: '/admin/users', permission: 'manageUsers' },
    ],
  },
] as const satisfies { name: string; pages: NavPage[] }[];

/** A bar on a phone, a column beside the page on a wide screen. */
const PLACE =
  'h-[calc(2.75rem+1px)] border-line border-b bg-panel lg:sticky lg:top-0 lg:h-auto lg:max-h-dvh lg:overflow-y-auto lg:border-b-0 lg:bg-transparent';

/** The menu of the admin area's pages. */
export function AdminNav() {
  const t = useTranslations('AdminNav');
  const pathname = usePathname();
  const session = useSession();
  const list = useRef<HTMLUListElement>(null);
  const isShown = session.status === 'signed_in';
  // biome-ignore lint/correctness/useExhaustiveDependencies(pathname): another page is the one the reader is on
  useEffect(() => {
    if (isShown) showCurrent(list.current);
  }, [isShown, pathname]);
  // Empty while nobody knows who is there: the page below must not move when the menu comes.
  const user = session.status === 'signed_in' ? session.user : null;
  if (!user || user.needsFactor || !may(user.role, 'seeAdmin')) return <div className={PLACE} />;
  const groups = GROUPS.map(({ name, pages }) => ({
    name,
    pages: pages.filter(({ permission }) => may(user.role, permission)),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <nav aria-label={t('label')} className={PLACE}>
      <ul
        ref={list}
        className="mx-auto flex max-w-6xl gap-1 overflow-x-auto px-4 [scrollbar-width:none] sm:px-6 lg:grid lg:gap-5 lg:px-3 lg:py-6"
      >
        {groups.map(({ name, pages }) => (
          <li key={name} className="shrink-0">
            <p aria-hidden="true" className="px-3 pb-1 font-medium text-muted text-sm max-lg:hidden">
              {t(`groups.${name}`)}
            </p>
            <ul aria-label={t(`groups.${name}`)} className="flex gap-1 lg:grid lg:gap-0.5">
              {pages.map((page) => (
                <li key={page.name}>
                  <NavLink href={page.href} isHere={isWithin(pathname, page.href)}>
                    {t(page.name)}
                  </NavLink>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const isWithin = (pathname: string, href: string) =>
  pathname === href || (href !== HOME && pathname.startsWith(`${href}/`));

function NavLink({ href, isHere, children }: { href: string; isHere: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-current={isHere ? 'page' : undefined}
      className={cn(
        'inline-flex min-h-11 items-center whitespace-nowrap border-b-2 px-2.5 lg:min-h-9 lg:w-full lg:rounded-lg lg:border-b-0 lg:px-3',
        isHere
          ? 'border-text font-semibold lg:bg-sunken'
          : 'border-transparent text-muted hover:text-text lg:hover:bg-sunken',
      )}
    >
      {children}
    </Link>
  );
}

/** Scrolls the menu so that the current page is in sight: a phone has no room for all pages. */
function showCurrent(list: HTMLUListElement | null): void {
  const current = list?.querySelector('[aria-current=page]');
  if (!list || !current) return;
  const [outer, inner] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
