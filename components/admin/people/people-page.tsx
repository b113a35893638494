'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { FoundPerson } from '@/lib/contract/shapes/person';
import { adminPage, PageFrame } from '../kit/admin-page';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { PersonView } from './person-view';

const MIN_LENGTH = 3;
const readPlace = readTexts({ search: '', userId: '' });

/** Finds somebody for support, and shows what they need to know to help. */
function People() {
  const common = useTranslations('Common');
  const [{ search, userId }, go] = useUrlFilter<Record<'search' | 'userId', string>>(readPlace);
  const found = useQuery({
    queryKey: ['admin-people', search],
    queryFn: ({ signal }) => request('GET /api/admin/people', { query: { search }, signal }),
    enabled: search.length >= MIN_LENGTH,
    // Each look is written down: only whoever asks again looks again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const person = useQuery({
    queryKey: ['admin-person', userId],
    queryFn: ({ signal }) => request('GET /api/admin/people/{userId}', { params: { userId }, signal }),
    enabled: userId !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, problem) => !/NOT_FOUND/.test(problemCode(problem)) && count < 3,
  });
  const isLoading = found.isFetching || person.isFetching;
  return (
    <PageFrame words="AdminPeople">
      <SearchForm
        search={search}
        isBusy={found.isFetching}
        onSearch={(text) => {
          go({ search: text, userId: '' });
          if (text === search) void found.refetch();
        }}
      />
      <Problem error={found.error ?? person.error} />
      {isLoading && !found.data && !person.data ? <p className="text-muted">{common('loading')}</p> : null}
      {found.data && userId === '' ? (
        <FoundList people={found.data.people} onChoose={(chosen) => go({ userId: chosen })} />
      ) : null}
      {person.data ? (
        <PersonView key={userId} person={person.data} onChange={() => void person.refetch()} />
      ) : null}
    </PageFrame>
  );
}

interface SearchFormProps {
  search: string;
  isBusy: boolean;
  onSearch: (search: string) => void;
}

function SearchForm({ search, isBusy, onSearch }: SearchFormProps) {
  const t = useTranslations('AdminPeople');
  const [text, setText] = useState(search);
  const asked = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(asked);
  };
  return (
    <form method="post" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <TextField
        label={t('search')}
        hint={t('searchHint')}
        type="search"
        maxLength={254}
        autoComplete="off"
        className="sm:w-96"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button
        type="submit"
        tone="primary"
        isBusy={isBusy}
        disabled={asked.length < MIN_LENGTH}
        className="sm:mb-6.5"
      >
        {t('find')}
      </Button>
    </form>
  );
}

interface FoundListProps {
  people: FoundPerson[];
  onChoose: (userId: string) => void;
}

function FoundList({ people, onChoose }: FoundListProps) {
  const t = useTranslations('AdminPeople');
  const roleWord = useTranslations('Account.roles');
  return (
    <section aria-labelledby="found" className="grid gap-3">
      <h2 id="found" role="status" className="font-semibold text-xl">
        {t('found', { count: people.length })}
      </h2>
      <ul className="grid gap-3">
        {people.map(({ userId, email, name, role, bannedAt }) => (
          <li key={userId}>
            <button
              type="button"
              onClick={() => onChoose(userId)}
              className="flex w-full flex-wrap items-center gap-3 rounded-card border border-line bg-panel px-4 py-3 text-left hover:bg-sunken"
            >
              <span className="wrap-anywhere font-medium">{email}</span>
              <span className="text-muted">{name}</span>
              {role === 'shopper' ? null : <Badge>{roleWord(role)}</Badge>}
              {bannedAt === null ? null : <Badge tone="danger">{t('banned')}</Badge>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const PeoplePage = adminPage(People, 'seePeople', 'AdminPeople');
