'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { adminPage, PageFrame } from '../kit/admin-page';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { PersonView } from './person-view';

const readQuestion = readTexts({ who: '' });

/** Finds a person by e-mail address, id or order number, and shows what support needs to know. */
function People() {
  const common = useTranslations('Common');
  const [{ who }, ask] = useUrlFilter<Record<'who', string>>(readQuestion);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin-person', who],
    queryFn: ({ signal }) => request('GET /api/admin/people', { query: { who }, signal }),
    enabled: who !== '',
    // Each look is an entry in the audit log: only a press looks again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: (count, problem) => !/NOT_FOUND|VALIDATION/.test(problemCode(problem)) && count < 3,
  });
  const find = (asked: string) => {
    if (asked === who) void refetch();
    else ask({ who: asked });
  };
  return (
    <PageFrame words="AdminPeople">
      <FindForm who={who} isBusy={isFetching} onFind={find} />
      <Problem error={error} />
      {isFetching && !data ? <p className="text-muted">{common('loading')}</p> : null}
      {data && !error ? (
        <PersonView key={data.user.userId} person={data} onChange={() => void refetch()} />
      ) : null}
    </PageFrame>
  );
}

interface FindFormProps {
  who: string;
  isBusy: boolean;
  onFind: (who: string) => void;
}

function FindForm({ who, isBusy, onFind }: FindFormProps) {
  const t = useTranslations('AdminPeople');
  const [text, setText] = useState(who);
  const asked = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asked !== '') onFind(asked);
  };
  return (
    <form method="post" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <TextField
        label={t('search')}
        type="search"
        maxLength={254}
        autoComplete="off"
        className="sm:w-96"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isBusy} disabled={asked === ''}>
        {t('find')}
      </Button>
    </form>
  );
}

export const PeoplePage = adminPage(People, 'helpPeople', 'AdminPeople');
