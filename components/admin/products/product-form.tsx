'use client';

import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemCode } from '@/components/api/api-problem';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { TextAreaField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { Product } from '@/lib/contract/shapes/product';
import { DELIVERY_KINDS } from '@/lib/contract/words/delivery';
import { mediaPath } from '@/lib/contract/words/media';
import { ChoiceField } from '../kit/choice-field';
import { useActionOf } from '../kit/use-action';
import { useFields } from '../kit/use-fields';
import { useShownShop } from '../kit/use-shown-shop';
import { toSlug } from '../sales/sale-form-values';
import { PicturesField } from './pictures-field';
import { checkProduct, type ProductProblems, type ProductValues } from './product-values';
import { useUploads } from './use-uploads';

interface ProductFormProps {
  /** Null: the form makes a new one. */
  product: Product | null;
  onSaved: () => void;
  onCancel: () => void;
}

/** Makes or edits a product: its name, its address, what it is, and its pictures. */
export function ProductForm({ product, onSaved, onCancel }: ProductFormProps) {
  const t = useTranslations('AdminProducts.form');
  const common = useTranslations('Common');
  const done = useTranslations('AdminDone');
  const refreshLists = useRefreshLists();
  const shown = useShownShop();
  const element = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<ProductProblems>({});
  const [hasOwnSlug, setHasOwnSlug] = useState(product !== null);
  const { values, set, text, choice } = useFields<ProductValues>({
    name: product?.name ?? '',
    slug: product?.slug ?? '',
    description: product?.description ?? '',
    // A server of the release before says nothing.
    delivery: product?.delivery ?? 'none',
    // The first of the uploaded ones has this address, too.
    imageUrl: (product?.pictures.length ? null : product?.imageUrl) ?? '',
  });
  const uploads = useUploads(product?.productId ?? null, product?.pictures ?? []);
  const save = useActionOf(
    () => {
      const [first] = uploads.pictures;
      const body = {
        name: values.name.trim(),
        description: values.description.trim(),
        delivery: values.delivery,
        // For a server of the release before, which knows one picture.
        imageUrl: first ? mediaPath(first.hash, 640, 'webp') : values.imageUrl || null,
        pictures: uploads.pictures,
      };
      return product
        ? request('PATCH /api/admin/products/{productId}', {
            params: { productId: product.productId },
            body: { ...body, version: product.version },
          })
        : request('POST /api/admin/products', {
            body: { ...body, slug: values.slug, shopId: shown.shopOf() },
          });
    },
    {
      says: ({ name }) => ({ text: done('product', { name }) }),
      onDone: onSaved,
      refresh: () => refreshLists('GET /api/admin/products'),
      onError: (error) => {
        if (problemCode(error) === 'SLUG_TAKEN') setProblems({ slug: 'slugTaken' });
        return shown.refuse(error);
      },
    },
  );
  useEffect(() => {
    const [first] = Object.keys(problems);
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, [problems]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkProduct(values);
    setProblems(found);
    if (Object.keys(found).length === 0) save.mutate();
  };
  const errorOf = (name: keyof ProductValues) => {
    const problem = problems[name];
    return problem ? t(problem) : null;
  };
  return (
    <Card className="p-5 sm:p-6">
      <form method="post" ref={element} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="font-semibold text-xl">{t(product ? 'edit' : 'create')}</h2>
        <Problem error={problems.slug === 'slugTaken' ? null : save.error} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('name')}
            name="name"
            maxLength={200}
            value={values.name}
            error={errorOf('name')}
            onChange={({ target }) => {
              set('name', target.value);
              if (!hasOwnSlug) set('slug', toSlug(target.value));
            }}
          />
          {product ? null : (
            <TextField
              label={t('slug')}
              hint={t('slugHint')}
              name="slug"
              value={values.slug}
              error={errorOf('slug')}
              onChange={({ target }) => {
                setHasOwnSlug(true);
                set('slug', target.value);
              }}
            />
          )}
          <div className="sm:col-span-2">
            <TextAreaField
              label={t('description')}
              name="description"
              maxLength={10_000}
              {...text('description')}
            />
          </div>
        </div>
        <ChoiceField
          label={t('delivery')}
          name="delivery"
          choices={DELIVERY_KINDS}
          nameOf={(kind) => t(`deliveries.${kind}`)}
          hintOf={(kind) => t(`deliveryHints.${kind}`)}
          {...choice('delivery')}
        />
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
