'use client';

import { useRef } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import type { EditableSale } from '@/lib/contract/shapes/sale';
import { shopForNew } from '../kit/shop-field';
import { useActionOf } from '../kit/use-action';
import { useShops } from '../kit/use-shops';
import { toDelivery } from '../products/sending-values';
import { toSaleEdit } from './draft-values';
import { toLimits } from './limit-values';
import {
  type FormProblem,
  type FormProblems,
  NEW_PRODUCT,
  type SaleFormValues,
  toNewSale,
} from './sale-form-values';
import type { SaleFormState } from './use-sale-form';

/** Fields of the server's answer that have another name in the form. */
const SERVER_FIELDS: Record<string, keyof SaleFormValues> = {
  name: 'productName',
  slug: 'productSlug',
  priceMinor: 'price',
  listPriceMinor: 'listPrice',
  'delivery.place': 'pickupPlace',
  entryOpensAt: 'entryMinutes',
  'reservation.opensAt': 'reservationOpensAt',
  'reservation.closesAt': 'reservationClosesAt',
};

function fieldProblems(error: unknown, values: SaleFormValues): FormProblems {
  if (!(error instanceof ApiProblem)) return {};
  if (error.code === 'SLUG_TAKEN') return { productSlug: { key: 'wrong' } };
  return Object.fromEntries(
    error.fields.flatMap(({ path }) => {
      const field = SERVER_FIELDS[path] ?? path;
      return field in values || field.startsWith('variants.')
        ? [[field, { key: 'wrong' } satisfies FormProblem]]
        : [];
    }),
  );
}

const fieldsOfProduct = (given: SaleFormValues) => ({
  name: given.productName.trim(),
  description: given.description.trim(),
  imageUrl: given.picture,
  delivery: toDelivery(given),
});
type ProductFields = ReturnType<typeof fieldsOfProduct>;

/** Corrects a product that this form has made, as it is now: the answer to an earlier correction may have been lost. */
async function correct(productId: string, fields: ProductFields): Promise<string> {
  const { products } = await request('GET /api/admin/products', { query: { q: productId } });
  const version = products.find((product) => product.productId === productId)?.version ?? 1;
  await request('PATCH /api/admin/products/{productId}', {
    params: { productId },
    body: { ...fields, version },
  });
  return productId;
}

/** Sends what the form holds: a new draft, with its product if that is new, or the changes of a draft. */
export function useSaveSale(
  form: SaleFormState,
  draft: EditableSale | null,
  onSaved: (saleId: string) => void,
) {
  const refreshLists = useRefreshLists();
  const shopId = shopForNew(useShops('settings'), form.values.shopId);
  /** The product of a first try whose sale was then refused. The second try must not make another. */
  const madeProduct = useRef<{ slug: string; fields: ProductFields; productId: string } | null>(null);
  /** A thing's request id is the same in every try of this form, so that a lost answer makes nothing twice. */
  const requestIds = useRef(new Map<string, string>());
  const requestIdOf = (thing: string): string => {
    const id = requestIds.current.get(thing) ?? newRequestId();
    requestIds.current.set(thing, id);
    return id;
  };
  const make = async (slug: string, fields: ProductFields) => {
    const body = { slug, ...fields, shopId, requestId: requestIdOf(`product ${slug}`) };
    return (await request('POST /api/admin/products', { body })).productId;
  };
  const productOf = async (given: SaleFormValues) => {
    const { productId, productSlug: slug } = given;
    if (productId !== NEW_PRODUCT) return productId;
    const fields = fieldsOfProduct(given);
    const made = madeProduct.current?.slug === slug ? madeProduct.current : null;
    const isRight = made && JSON.stringify(made.fields) === JSON.stringify(fields);
    const id = isRight ? made.productId : await (made ? correct(made.productId, fields) : make(slug, fields));
    madeProduct.current = { slug, fields, productId: id };
    return id;
  };
  return useActionOf(
    async () => {
      const { initial, values, limits } = form;
      const productId = await productOf(values);
      if (!draft) {
        const body = {
          ...toNewSale(values, productId),
          limits: toLimits(limits),
          requestId: requestIdOf('sale'),
        };
        return request('POST /api/admin/sales', { body });
      }
      const body = toSaleEdit(initial, { values, limits }, productId, draft.version);
      return request('PATCH /api/admin/sales/{saleId}', { params: { saleId: draft.saleId }, body });
    },
    {
      onDone: ({ saleId }) => {
        refreshLists('GET /api/admin/sales', 'GET /api/admin/products');
        onSaved(saleId);
      },
      onError: (error) => form.refuse(fieldProblems(error, form.values)),
    },
  );
}
