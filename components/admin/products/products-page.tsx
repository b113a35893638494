'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import type { Product } from '@/lib/contract/shapes/product';
import { adminPage, PageFrame } from '../kit/admin-page';
import { useMayInShop } from '../kit/use-shops';
import { ProductForm } from './product-form';
import { ProductImport } from './product-import';
import { ProductTable } from './product-table';

/** Shows every product, and a form for the next one or for the one to be changed. */
function Products() {
  const t = useTranslations('AdminProducts');
  const mayChange = useMayInShop('settings');
  // `product` null: the form makes a new one.
  const [form, setForm] = useState<{ product: Product | null } | null>(null);
  const [isImporting, setIsImporting] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The form stands above the list, perhaps far from the button that opened it.
    if (form) place.current?.querySelector<HTMLElement>('input')?.focus();
  }, [form]);
  const close = () => setForm(null);
  return (
    <PageFrame
      words="AdminProducts"
      beside={
        mayChange && !form ? (
          <div className="flex flex-wrap gap-2">
            <Button aria-expanded={isImporting} onClick={() => setIsImporting(!isImporting)}>
              {t('import.open')}
            </Button>
            <Button tone="primary" onClick={() => setForm({ product: null })}>
              {t('new')}
            </Button>
          </div>
        ) : null
      }
    >
      {form ? (
        <div ref={place}>
          <ProductForm
            key={form.product?.productId ?? 'new'}
            product={form.product}
            onSaved={close}
            onCancel={close}
          />
        </div>
      ) : null}
      {isImporting ? <ProductImport /> : null}
      <ProductTable onEdit={mayChange ? (product) => setForm({ product }) : null} />
    </PageFrame>
  );
}

export const ProductsPage = adminPage(Products);
