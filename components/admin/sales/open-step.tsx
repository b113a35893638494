'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { readPages } from '@/components/api/read-pages';
import { request } from '@/components/api/request';
import { useShops } from '../kit/use-shops';
import { StepCheck } from './step-check';
import { StepPrice } from './step-price';
import type { FieldOf } from './step-props';
import { StepWhat } from './step-what';
import { StepWhen } from './step-when';
import { StepWho } from './step-who';
import { useOfferedProducts } from './use-offered-products';
import type { SaleFormState } from './use-sale-form';

/** Shows the open step of the form, with what it offers for choice. */
export function OpenStep({ form }: { form: SaleFormState }) {
  const t = useTranslations('Admin.form');
  const { values, problems } = form;
  const products = useOfferedProducts(values.productId);
  const shops = useShops('settings');
  const campaigns = useQuery({
    queryKey: ['GET /api/admin/campaigns', 'all'],
    queryFn: ({ signal }) =>
      readPages((cursor) => request('GET /api/admin/campaigns', { query: { limit: 100, cursor }, signal })),
  });
  const errorOf = (name: keyof typeof problems) => {
    const problem = problems[name];
    return problem ? t(problem.key, { min: 0, max: 0, ...problem }) : null;
  };
  const field: FieldOf = (name) => {
    const value = values[name];
    const isFlag = typeof value === 'boolean';
    return {
      name,
      value: isFlag ? (value ? 'yes' : 'no') : value,
      error: errorOf(name),
      onChange: ({ target }) => form.setValue(name, isFlag ? target.value === 'yes' : target.value),
    };
  };
  switch (form.step) {
    case 'what':
      return (
        <StepWhat
          field={field}
          values={values}
          products={products}
          campaigns={campaigns.data?.flatMap((page) => page.campaigns) ?? []}
          shops={shops}
          onTitles={(titles) => form.setValue('titles', titles)}
        />
      );
    case 'price':
      return (
        <StepPrice
          field={field}
          values={values}
          pictures={products.find(({ productId }) => productId === values.productId)?.pictures ?? []}
          errorOf={errorOf}
          onVariants={(variants) => form.setValue('variants', variants)}
        />
      );
    case 'when':
      return <StepWhen field={field} values={values} />;
    case 'who':
      return (
        <StepWho
          field={field}
          values={values}
          limits={form.limits}
          limitProblems={form.limitProblems}
          onLimits={form.setLimits}
        />
      );
    case 'check':
      return <StepCheck values={values} products={products} />;
  }
}
