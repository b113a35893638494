'use client';

import { useTranslations } from 'next-intl';
import { ApiProblem } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useList, useRefreshLists } from '@/components/api/use-list';
import { Picture } from '@/components/sale/picture';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { Problem } from '@/components/ui/problem';
import type { Product } from '@/lib/contract/shapes/product';
import { cutText, isolated } from '@/lib/human-text';
import { ActionButton } from '../kit/action-button';
import { ChoiceField } from '../kit/choice-field';
import { DataTable } from '../kit/data-table';
import { Paged } from '../kit/paged';
import { useActionOf } from '../kit/use-action';
import { readTexts, useUrlFilter } from '../kit/use-url-filter';

/** A picture has its baseline at the bottom: by that, text beside it would stand too low. */
const MIDDLE = 'align-middle!';
const STATUSES = ['active', 'archived', ''] as const;

/** Lists the merchant's products, page by page, with a filter. @param onEdit null: the user may change none */
export function ProductTable({ onEdit }: { onEdit: ((product: Product) => void) | null }) {
  const t = useTranslations('AdminProducts');
  const [given, setFilter] = useUrlFilter(readTexts({ status: 'active', q: '' }));
  const filter = {
    status: STATUSES.find((each) => each === given.status) ?? 'active',
    q: cutText(given.q, 200),
  };
  const { query, items: products } = useList('GET /api/admin/products', { query: filter });
  const isAsked = given.q !== '' || filter.status === 'archived';
  const turn = useTurn();
  return (
    <div className="grid gap-4">
      <search aria-label={t('filters')} className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <TextField
          label={t('q')}
          type="search"
          maxLength={200}
          value={filter.q}
          onChange={({ target }) => setFilter({ q: target.value })}
        />
        <ChoiceField
          label={t('status')}
          choices={STATUSES}
          value={filter.status}
          nameOf={(status) => t(`statuses.${status || 'every'}`)}
          onChoose={(status) => setFilter({ status })}
        />
      </search>
      <TurnProblem turn={turn} />
      <Paged query={query} isEmpty={products.length === 0} empty={t(isAsked ? 'nothingFound' : 'empty')}>
        <DataTable
          isStacked
          caption={t('heading')}
          columns={[
            { label: t('name') },
            { label: t('slug') },
            ...(onEdit ? [{ label: t('edit'), isHidden: true }] : []),
          ]}
        >
          {products.map((product) => (
            <tr key={product.productId}>
              <th scope="row" className={MIDDLE}>
                <span className="flex items-center gap-3 font-medium [overflow-wrap:anywhere]">
                  <span className="w-16 shrink-0">
                    <Picture src={product.imageUrl} className="rounded-lg" />
                  </span>
                  {product.name}
                  {product.status === 'archived' ? <Badge>{t('statuses.archived')}</Badge> : null}
                </span>
              </th>
              <td className={`${MIDDLE} text-muted [overflow-wrap:anywhere]`}>{product.slug}</td>
              {onEdit ? (
                <td className={`${MIDDLE} lg:text-right`}>
                  <span className="inline-flex flex-wrap gap-2">
                    <Button aria-label={t('editOne', { name: product.name })} onClick={() => onEdit(product)}>
                      {t('edit')}
                    </Button>
                    <TurnButton product={product} turn={turn} />
                  </span>
                </td>
              ) : null}
            </tr>
          ))}
        </DataTable>
      </Paged>
    </div>
  );
}

type Verb = 'archive' | 'reopen';
type Turn = ReturnType<typeof useTurn>;

/** Archives a product, or takes it back. */
function useTurn() {
  const done = useTranslations('AdminDone');
  const refreshLists = useRefreshLists();
  const ask = (verb: Verb, { productId }: Product) =>
    request(`POST /api/admin/products/{productId}/${verb}`, { params: { productId } });
  return useActionOf(({ verb, product }: { verb: Verb; product: Product }) => ask(verb, product), {
    says: (_, { verb, product }) => {
      const name = isolated(product.name);
      const reopened = done('productReopened', { name });
      return verb === 'reopen'
        ? { text: reopened }
        : {
            text: done('productArchived', { name }),
            undo: { request: () => ask('reopen', product), text: reopened },
          };
    },
    refresh: () => refreshLists('GET /api/admin/products'),
  });
}

function TurnButton({ product, turn }: { product: Product; turn: Turn }) {
  const t = useTranslations('AdminProducts');
  const verb = product.status === 'active' ? 'archive' : 'reopen';
  const isThis = turn.variables?.product.productId === product.productId;
  return (
    <ActionButton
      action={{ isPending: turn.isPending && isThis }}
      aria-label={t(`${verb}One`, { name: product.name })}
      onPress={() => turn.mutate({ verb, product })}
    >
      {t(verb)}
    </ActionButton>
  );
}

/** Says why a product was not archived, with the sales that are in the way. */
function TurnProblem({ turn: { error, variables } }: { turn: Turn }) {
  const t = useTranslations('AdminProducts');
  if (!(error instanceof ApiProblem) || error.code !== 'PRODUCT_IN_USE') return <Problem error={error} />;
  const sales = error.fields.map(({ message }) => isolated(message)).join(', ');
  return (
    <Notice tone="danger" role="alert">
      {t('inUse', { name: isolated(variables?.product.name ?? ''), sales })}
    </Notice>
  );
}
