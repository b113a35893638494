'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { LINK } from '@/components/ui/link-style';
import { useLocalDate } from '@/components/ui/use-local-date';
import { Link } from '@/i18n/navigation';
import type { Person } from '@/lib/contract/shapes/person';
import { isolated } from '@/lib/human-text';
import { codeWord } from '../why/code-word';
import { HelpPerson } from './help-person';
import { PersonOrders } from './person-orders';

/** Shows a person's account, orders, refused attempts, sessions and notices, and how to help. */
export function PersonView({ person, onChange }: { person: Person; onChange: () => void }) {
  const t = useTranslations('AdminPeople');
  const { orders, refusals, sessions, notices } = person;
  return (
    <>
      <Account user={person.user} onChange={onChange} />
      <Part heading={t('orders')} empty={orders.length === 0 && t('noOrders')}>
        <PersonOrders person={person} />
      </Part>
      <Part heading={t('refusals')} empty={refusals.length === 0 && t('noRefusals')}>
        <Refusals person={person} />
      </Part>
      <Part heading={t('sessions')} empty={sessions.length === 0 && t('noSessions')}>
        <Sessions sessions={sessions} />
      </Part>
      <Part heading={t('notices')} empty={notices.length === 0 && t('noNotices')}>
        <Notices notices={notices} />
      </Part>
    </>
  );
}

function Account({ user, onChange }: { user: Person['user']; onChange: () => void }) {
  const t = useTranslations('AdminPeople');
  const account = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const localDate = useLocalDate();
  const { email, emailVerifiedAt, mailRefusedAt, secondFactorAt, bannedAt, deletedAt } = user;
  const day = (at: number) => localDate(at, 'short');
  const facts: [string, ReactNode][] = [
    [t('name'), <bdi key="name">{user.name}</bdi>],
    [t('id'), user.userId],
    [t('role'), roleWord(user.role)],
    [t('since'), day(user.createdAt)],
    [t('verified'), emailVerifiedAt === null ? t('notYet') : day(emailVerifiedAt)],
    ...(mailRefusedAt === null
      ? []
      : [[t('mailRefused'), t('mailRefusedSince', { time: day(mailRefusedAt) })] as [string, ReactNode]]),
    [t('factor'), secondFactorAt === null ? t('off') : day(secondFactorAt)],
    [t('level'), user.currentLevel],
  ];
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="flex flex-wrap items-center gap-3 font-semibold text-xl">
        <span className="wrap-anywhere">{email}</span>
        {deletedAt === null ? null : <Badge>{account('deletedSince', { time: day(deletedAt) })}</Badge>}
        {bannedAt === null || deletedAt !== null ? null : (
          <Badge tone="danger">{account('bannedSince', { time: day(bannedAt) })}</Badge>
        )}
      </h2>
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {facts.map(([label, value]) => (
          <div key={label} className="grid sm:contents">
            <dt className="text-muted">{label}</dt>
            <dd className="wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {deletedAt === null ? <HelpPerson user={user} onChange={onChange} /> : null}
    </Card>
  );
}

function Refusals({ person: { user, refusals } }: { person: Person }) {
  const t = useTranslations('AdminPeople');
  const why = useTranslations('AdminWhy');
  const localDate = useLocalDate();
  return (
    <ul className="grid gap-4">
      {refusals.map(({ saleId, saleTitle, place, code, times, lastAt }) => (
        <li key={`${saleId} ${place} ${code}`} className="grid">
          <span className="font-medium">
            {why(`places.${place}`)}: {why(`codes.${codeWord(code)}`)}
          </span>
          <span className="text-muted tabular-nums">
            {t('times', { times, time: localDate(lastAt, 'short') })}
          </span>
          <Link
            href={`/admin/why?${new URLSearchParams({ saleId, user: user.userId })}`}
            prefetch={false}
            className={`${LINK} justify-self-start`}
          >
            {t('why', { title: isolated(saleTitle) })}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Sessions({ sessions }: Pick<Person, 'sessions'>) {
  const t = useTranslations('AdminPeople');
  const account = useTranslations('Account');
  const localDate = useLocalDate();
  return (
    <ul className="grid gap-2">
      {sessions.map(({ browser, createdAt, lastSeenAt }) => (
        <li key={`${createdAt} ${browser}`} className="tabular-nums">
          {t('session', {
            browser: browser || account('unknownBrowser'),
            since: localDate(createdAt, 'short'),
            seen: localDate(lastSeenAt, 'short'),
          })}
        </li>
      ))}
    </ul>
  );
}

function Notices({ notices }: Pick<Person, 'notices'>) {
  const t = useTranslations('AdminPeople');
  const localDate = useLocalDate();
  return (
    <ul className="grid gap-2">
      {notices.map(({ kind, orderNo, createdAt, readAt }) => (
        <li key={`${createdAt} ${kind} ${orderNo}`} className="tabular-nums">
          {localDate(createdAt, 'short')} · {t(`kinds.${kind}`)} · {orderNo} ·{' '}
          {readAt === null ? t('unread') : t('readAt', { time: localDate(readAt, 'short') })}
        </li>
      ))}
    </ul>
  );
}

interface PartProps {
  heading: string;
  /** The text where there is nothing to show; false: there is. */
  empty: string | false;
  children: ReactNode;
}

function Part({ heading, empty, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="font-semibold text-xl">
        {heading}
      </h2>
      {empty ? <p className="text-muted">{empty}</p> : children}
    </section>
  );
}
