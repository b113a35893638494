'use client';

import { useTranslations } from 'next-intl';
import { useList } from '@/components/api/use-list';
import { TextField } from '@/components/ui/field';
import { ROLES } from '@/lib/contract/words/roles';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';
import { UserRow } from './user-row';

const NO_FILTER = { search: '', role: '', state: 'all' };

/** Lists the accounts, newest first, page by page, with filters. */
export function UserTable() {
  const t = useTranslations('AdminUsers');
  const roleWord = useTranslations('Account.roles');
  const [filter, setFilter] = useUrlFilter(readTexts(NO_FILTER));
  const { query, items: users } = useList('GET /api/admin/users', { query: filter });
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
        <ChoiceField
          label={t('role')}
          value={filter.role}
          choices={['', ...ROLES]}
          nameOf={(role) => (role ? roleWord(role) : t('everyRole'))}
          onChoose={(role) => setFilter({ role })}
        />
        <ChoiceField
          label={t('state')}
          value={filter.state}
          choices={['all', 'banned']}
          nameOf={(state) => t(`states.${state}`)}
          onChoose={(state) => setFilter({ state })}
        />
      </div>
      <Paged query={query} isEmpty={users.length === 0} empty={t('empty')}>
        <DataTable
          caption={t('list')}
          className="min-w-0"
          columns={[
            { label: t('account') },
            // Hidden on a phone.
            { label: t('role'), className: 'max-sm:hidden' },
            { label: t('level'), className: 'max-sm:hidden' },
            { label: t('since'), className: 'max-sm:hidden' },
            { label: t('manage'), isHidden: true },
          ]}
        >
          {users.map((user) => (
            <UserRow key={user.userId} user={user} onChange={() => void query.refetch()} />
          ))}
        </DataTable>
      </Paged>
    </section>
  );
}
