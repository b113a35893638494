import { useTranslations } from 'next-intl';
import { TextField } from '@/components/ui/field';
import { DESK_SALE_STATES, SALE_ORDERS } from '@/lib/contract/words/sale';
import { ChoiceField } from '../kit/choice-field';
import type { SaleListFilter } from './sale-list-filter';

interface SaleFiltersProps {
  filter: SaleListFilter;
  onFilter: (change: Partial<SaleListFilter>) => void;
}

const STATES = ['', ...DESK_SALE_STATES] as const;

/** Edits which sales the list shows, and in which order. */
export function SaleFilters({ filter, onFilter }: SaleFiltersProps) {
  const t = useTranslations('AdminSales.list');
  return (
    <search aria-label={t('filters')} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
      <TextField
        label={t('q')}
        type="search"
        maxLength={200}
        value={filter.q}
        onChange={({ target }) => onFilter({ q: target.value })}
      />
      <ChoiceField
        label={t('status')}
        choices={STATES}
        value={filter.status}
        nameOf={(state) => t(`states.${state || 'every'}`)}
        onChoose={(status) => onFilter({ status })}
      />
      <TextField
        label={t('from')}
        type="date"
        value={filter.from}
        onChange={({ target }) => onFilter({ from: target.value })}
      />
      <TextField
        label={t('to')}
        type="date"
        value={filter.to}
        onChange={({ target }) => onFilter({ to: target.value })}
      />
      <ChoiceField
        label={t('sort')}
        choices={SALE_ORDERS}
        value={filter.sort}
        nameOf={(order) => t(`orders.${order === '-start' ? 'latest' : order}`)}
        onChoose={(sort) => onFilter({ sort })}
      />
    </search>
  );
}
