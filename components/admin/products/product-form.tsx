'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { newRequestId } from '@/components/api/new-request-id';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import { routing } from '@/i18n/routing';
import type { Product } from '@/lib/contract/shapes/product';
import { MAX_ATTRIBUTES, MAX_SLUG_LENGTH, SLUG } from '@/lib/contract/words/product';
import { isolated } from '@/lib/human-text';
import { ShopField, shopForNew } from '../kit/shop-field';
import { spareSlug, toSlug } from '../kit/to-slug';
import { useActionOf } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { useShops } from '../kit/use-shops';
import { readAttributeLines, toAttributeLines } from './attribute-lines';
import { DeliveryFields } from './delivery-fields';
import { LanguageTexts } from './language-texts';
import { type LanguageField, type LanguageValues, toLanguageValues, toProductTexts } from './language-values';
import { PicturesField } from './pictures-field';
import { checkSending, type SendingValues, toSending, toSendingValues } from './sending-values';
import { type Uploads, useUploads } from './use-uploads';

type ProductValues = SendingValues &
  LanguageValues & {
    name: string;
    slug: string;
    shopId: string;
    description: string;
    attributes: string;
    imageUrl: string;
  };
type ProductProblem =
  | 'required'
  | 'slugInvalid'
  | 'slugTaken'
  | 'attributesInvalid'
  | 'weightInvalid'
  | 'taxInvalid';
type ProductProblems = Partial<Record<keyof ProductValues, ProductProblem>>;

const ATTRIBUTES = [
  'attributes',
  ...routing.locales.map((locale) => `attributes.${locale}` as const),
] as const;

/** Finds what is wrong with the form, by field, before anything is sent. */
const check = (values: ProductValues): ProductProblems => ({
  ...(values.name.trim() ? {} : { name: 'required' }),
  ...(SLUG.test(values.slug) && values.slug.length <= MAX_SLUG_LENGTH ? {} : { slug: 'slugInvalid' }),
  ...Object.fromEntries(
    ATTRIBUTES.filter((name) => !readAttributeLines(values[name])).map((name) => [name, 'attributesInvalid']),
  ),
  ...checkSending(values),
});

interface ProductFormProps {
  /** Null: the form makes a new one. */
  product: Product | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** Makes or edits a product: its name, its address, what it is like, and its pictures. */
export function ProductForm({ product, onSaved, onCancel }: ProductFormProps) {
  const t = useTranslations('AdminProducts.form');
  const products = useTranslations('AdminProducts');
  const common = useTranslations('Common');
  const element = useRef<HTMLFormElement>(null);
  const shops = useShops('settings');
  const [problems, setProblems] = useState<ProductProblems>({});
  const [spare] = useState(spareSlug);
  const { values, set, text } = useFields<ProductValues>({
    name: product?.name ?? '',
    slug: product?.slug ?? '',
    shopId: '',
    description: product?.description ?? '',
    attributes: toAttributeLines(product?.attributes ?? {}),
    ...toSendingValues(product),
    // The first of its own pictures has this address, too.
    imageUrl: (product?.pictures.length ? null : product?.imageUrl) ?? '',
    ...toLanguageValues(product),
  });
  const shopId = shopForNew(shops, values.shopId);
  const uploads = useUploads(product ? undefined : shopId, product?.pictures ?? []);
  const save = useSaveProduct(product, { ...values, shopId }, uploads, {
    onSaved,
    onError: (error) => {
      if (problemCode(error) === 'SLUG_TAKEN') setProblems({ slug: 'slugTaken' });
    },
  });
  useEffect(() => {
    const [first] = Object.keys(problems);
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, [problems]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = check(values);
    setProblems(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const bound = (
    name: 'pickupPlace' | 'weight' | 'tax' | 'name' | 'slug' | 'description' | 'attributes' | LanguageField,
  ) => {
    const problem = problems[name];
    const says = problem && t(problem, { max: MAX_ATTRIBUTES });
    return { name, error: says ?? null, ...text(name) };
  };
  const field = (name: 'weight' | 'tax' | 'name' | 'slug' | 'description' | 'attributes') => ({
    ...bound(name),
    label: t(name),
  });
  return (
    <Card className="p-5 sm:p-6">
      <form method="post" ref={element} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="flex flex-wrap items-center gap-3 font-semibold text-xl">
          {t(product ? 'edit' : 'create')}
          {product?.status === 'archived' ? <Badge>{products('statuses.archived')}</Badge> : null}
        </h2>
        <Problem error={problems.slug === 'slugTaken' ? null : save.error} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            {...field('name')}
            maxLength={200}
            onChange={({ target }) => {
              const hasOwnSlug = product !== null || values.slug !== toSlug(values.name, spare);
              set('name', target.value);
              if (!hasOwnSlug) set('slug', toSlug(target.value, spare));
            }}
          />
          {product ? null : (
            <>
              <TextField {...field('slug')} hint={t('slugHint')} />
              <ShopField
                shops={shops}
                value={values.shopId}
                onChange={({ target }) => set('shopId', target.value)}
              />
            </>
          )}
          <div className="sm:col-span-2">
            <TextAreaField {...field('description')} maxLength={10_000} />
          </div>
          <div className="sm:col-span-2">
            <TextAreaField {...field('attributes')} hint={t('attributesHint')} />
          </div>
          <DeliveryFields
            way={{
              name: 'delivery',
              value: values.delivery,
              onChange: ({ target }) => set('delivery', target.value as SendingValues['delivery']),
            }}
            place={bound('pickupPlace')}
          />
          <TextField {...field('weight')} hint={t('weightHint')} inputMode="numeric" />
          <TextField {...field('tax')} hint={t('taxHint')} inputMode="decimal" />
        </div>
        <LanguageTexts product={product} field={bound} />
        <PicturesField
          uploads={uploads}
          imageUrl={values.imageUrl}
          onImageUrl={(imageUrl) => set('imageUrl', imageUrl)}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onCancel}>{common('cancel')}</Button>
          <Button type="submit" tone="primary" isBusy={save.isPending || uploads.progress !== null}>
            {t(product ? 'save' : 'make')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Sends what the form holds: a new product, or the changes of one. */
function useSaveProduct(
  product: Product | null,
  values: Omit<ProductValues, 'shopId'> & { shopId: string | undefined },
  { pictures }: Uploads,
  { onSaved, onError }: { onSaved: () => void; onError: (error: Error) => void },
) {
  const done = useTranslations('AdminDone');
  const refreshLists = useRefreshLists();
  const [requestId] = useState(newRequestId);
  const send = () => {
    const { name, slug, shopId, description, attributes, imageUrl } = values;
    const body = {
      name: name.trim(),
      description: description.trim(),
      attributes: readAttributeLines(attributes) ?? {},
      texts: toProductTexts(values),
      imageUrl: imageUrl || null,
      pictures,
      ...toSending(values),
    };
    if (!product) return request('POST /api/admin/products', { body: { ...body, slug, shopId, requestId } });
    const { productId, version } = product;
    return request('PATCH /api/admin/products/{productId}', {
      params: { productId },
      body: { ...body, version },
    });
  };
  return useActionOf(send, {
    says: (saved) => ({ text: done('product', { name: isolated(saved.name) }) }),
    onDone: onSaved,
    onError,
    refresh: () => refreshLists('GET /api/admin/products'),
  });
}
