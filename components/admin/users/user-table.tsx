'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { SelectField, TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { ROLES } from '@/lib/account/roles';
import { readTexts, useUrlFilter } from '../use-url-filter';
import { getUsers, NO_FILTER } from './user-api';
import { UserRow } from './user-row';

const CELL = 'px-3 py-3 text-left align-middle sm:px-4';
const COLUMNS = ['account', 'role', 'level', 'since'] as const;
/** Not on a phone. */
const WIDE: readonly string[] = ['level', 'since'];

/** Accounts, newest first, page by page, with filters. */
export function UserTable() {
  const t = useTranslations('DeskUsers');
  const common = useTranslations('Common');
  const problemText = useProblemText();
  const [filter, setFilter] = useUrlFilter(readTexts(NO_FILTER));
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['admin-users', filter],
      queryFn: ({ pageParam, signal }) => getUsers(filter, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: (previous) => previous,
    });
  const users = data?.pages.flatMap((page) => page.users) ?? [];
  return (
    <section aria-label={t('list')} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label={t('search')}
          hint={t('searchHint')}
          type="search"
          maxLength={254}
          value={filter.search}
          onChange={({ target }) => setFilter({ search: target.value })}
        />
        <SelectField
          label={t('role')}
          value={filter.role}
          onChange={({ target }) => setFilter({ role: target.value })}
        >
          <option value="">{t('everyRole')}</option>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {t(`roles.${role}`)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('state')}
          value={filter.state}
          onChange={({ target }) => setFilter({ state: target.value })}
        >
          <option value="all">{t('states.all')}</option>
          <option value="banned">{t('states.banned')}</option>
        </SelectField>
      </div>
      {error ? (
        <Notice tone="danger" role="alert">
          {problemText(error)}
        </Notice>
      ) : null}
      {isPending && !error ? <p className="text-muted">{common('loading')}</p> : null}
      {data && users.length === 0 ? <p className="text-muted">{t('empty')}</p> : null}
      {users.length > 0 ? (
        <Card className="relative overflow-x-auto">
          <table className="w-full border-collapse text-base">
            <caption className="sr-only">{t('list')}</caption>
            <thead className="border-line border-b text-muted text-sm">
              <tr>
                {COLUMNS.map((name) => (
                  <th key={name} scope="col" className={cn(CELL, WIDE.includes(name) && 'max-sm:hidden')}>
                    {t(name)}
                  </th>
                ))}
                <th scope="col" className={CELL}>
                  <span className="sr-only">{t('manage')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {users.map((user) => (
                <UserRow key={user.userId} user={user} onChange={() => void refetch()} />
              ))}
            </tbody>
          </table>
        </Card>
      ) : null}
      {hasNextPage ? (
        <Button
          className="justify-self-center"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? common('loading') : common('loadMore')}
        </Button>
      ) : null}
    </section>
  );
}
