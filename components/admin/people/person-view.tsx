'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { AddressLines } from '@/components/address/address-lines';
import { useMay } from '@/components/session/use-may';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { useLocalDate } from '@/components/ui/use-local-date';
import type { Person } from '@/lib/contract/shapes/person';
import { isStaff } from '@/lib/contract/words/roles';
import { HelpPerson } from './help-person';
import { PersonOrders } from './person-orders';
import { PersonRefusals } from './person-refusals';

interface PersonViewProps {
  person: Person;
  onChange: () => void;
}

/** Shows somebody's account, sessions, orders, refusals and notices, and what staff can do for them. */
export function PersonView({ person, onChange }: PersonViewProps) {
  const t = useTranslations('AdminPeople');
  const roleWord = useTranslations('Account.roles');
  const notices = useTranslations('AdminPeople.notices');
  const localDate = useLocalDate();
  const mayHelp = useMay('helpPeople');
  const mayManage = useMay('manageUsers');
  const { user, sessions, orders, refusals, deletedAt } = person;
  const day = (at: number) => localDate(at, 'short');
  const facts: [string, ReactNode][] = [
    [t('name'), user.name],
    [
      t('id'),
      <code key="id" className="wrap-anywhere text-sm">
        {user.userId}
      </code>,
    ],
    [t('role'), roleWord(user.role)],
    [t('since'), day(user.createdAt)],
    [t('verified'), user.emailVerifiedAt === null ? t('no') : day(user.emailVerifiedAt)],
    [t('factor'), t(user.hasSecondFactor ? 'yes' : 'no')],
    [t('level'), Math.max(user.level, user.earnedLevel)],
    // A server of the release before says nothing.
    [t('address'), person.address ? <AddressLines key="address" address={person.address} /> : t('no')],
  ];
  return (
    <div className="grid gap-8">
      <Card className="grid gap-4 p-5">
        <h2 className="flex flex-wrap items-center gap-3 font-semibold text-xl">
          <span className="wrap-anywhere">{user.email}</span>
          {user.bannedAt === null ? null : (
            <Badge tone="danger">{t('bannedSince', { time: day(user.bannedAt) })}</Badge>
          )}
          {deletedAt === null ? null : <Badge>{t('deletedSince', { time: day(deletedAt) })}</Badge>}
        </h2>
        <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
          {facts.map(([label, value]) => (
            <div key={label} className="grid sm:contents">
              <dt className="text-muted">{label}</dt>
              <dd className="tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {mayHelp && deletedAt === null ? (
          <HelpPerson user={user} mayEnd={mayManage || !isStaff(user.role)} onChange={onChange} />
        ) : null}
      </Card>
      <Part id="orders" heading={t('orders')} isEmpty={orders.length === 0} empty={t('noOrders')}>
        <PersonOrders person={person} mayHelp={mayHelp} />
      </Part>
      <Part id="refusals" heading={t('refusals')} isEmpty={refusals.length === 0} empty={t('noRefusals')}>
        <PersonRefusals person={person} />
      </Part>
      <Part
        id="person-sessions"
        heading={t('sessions')}
        isEmpty={sessions.length === 0}
        empty={t('noSessions')}
      >
        <ul className="grid gap-2">
          {sessions.map(({ browser, createdAt, lastSeenAt }) => (
            <li key={createdAt} className="tabular-nums">
              {t('session', {
                browser: browser || t('someBrowser'),
                since: day(createdAt),
                seen: day(lastSeenAt),
              })}
            </li>
          ))}
        </ul>
      </Part>
      <Part id="notices" heading={t('told')} isEmpty={person.notices.length === 0} empty={t('noNotices')}>
        <ul className="grid gap-2">
          {person.notices.map(({ kind, orderNo, at, readAt }) => (
            <li key={`${at} ${kind} ${orderNo}`} className="tabular-nums">
              {day(at)} · {notices(kind)}
              {orderNo === null ? '' : ` · ${orderNo}`} · {t(readAt === null ? 'unread' : 'read')}
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

interface PartProps {
  id: string;
  heading: string;
  isEmpty: boolean;
  empty: string;
  children: ReactNode;
}

const Part = ({ id, heading, isEmpty, empty, children }: PartProps) => (
  <section aria-labelledby={id} className="grid gap-3">
    <h2 id={id} className="font-semibold text-xl">
      {heading}
    </h2>
    {isEmpty ? <p className="text-muted">{empty}</p> : children}
  </section>
);
