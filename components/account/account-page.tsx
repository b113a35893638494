'use client';

import { useTranslations } from 'next-intl';
import { Card } from '@/components/ui/card';
import { Link } from '@/i18n/navigation';
import { ForVisitor, Whose } from './account-room';
import { OwnLevel } from './own-level';

const ROOMS = [
  { name: 'orders', href: '/orders' },
  { name: 'addresses', href: '/account/addresses' },
  { name: 'notices', href: '/notifications' },
  { name: 'signIn', href: '/account/sign-in' },
  { name: 'language', href: '/account/language' },
  { name: 'data', href: '/account/data' },
] as const;

/** Shows who the visitor is in this shop, and the way to each room of the account. */
export function AccountPage() {
  const t = useTranslations('Account');
  return (
    <ForVisitor>
      {(user) => (
        <div className="grid gap-6">
          <div className="grid gap-1">
            <h1 className="font-bold text-3xl tracking-tight">{t('heading')}</h1>
            <p className="wrap-anywhere text-lg">
              <bdi>{user.name ?? user.email}</bdi>
            </p>
            <Whose user={user} />
          </div>
          <nav aria-label={t('heading')}>
            <Card>
              <ul className="divide-y divide-line">
                {ROOMS.map(({ name: room, href }) => (
                  <Room key={room} room={room} href={href} />
                ))}
              </ul>
            </Card>
          </nav>
          <OwnLevel />
        </div>
      )}
    </ForVisitor>
  );
}

function Room({ room, href }: { room: (typeof ROOMS)[number]['name']; href: string }) {
  const t = useTranslations('Account.rooms');
  return (
    <li>
      <Link href={href} prefetch={false} className="flex items-center gap-4 px-5 py-4 hover:bg-sunken">
        <span className="grid flex-1 gap-0.5">
          <span className="font-semibold text-lg">{t(`${room}.name`)}</span>
          <span className="text-muted">{t(`${room}.text`)}</span>
        </span>
        <span aria-hidden="true" className="text-2xl text-muted">
          ›
        </span>
      </Link>
    </li>
  );
}
