'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { ApiProblem } from '@/components/api/api-problem';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SelectField, TextAreaField, TextField } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { useProblemText } from '@/components/ui/use-problem-text';
import { useRouter } from '@/i18n/navigation';
import { getAdminProducts, postProduct, postSale } from './admin-api';
import { ChallengeField } from './challenge-field';
import { LimitFields } from './limit-fields';
import { checkLimits, type LimitProblems, toLimits, toLimitValues } from './limit-values';
import { OutageField } from './outage-field';
import { PICTURES, picturePath } from './pictures';
import {
  checkSaleForm,
  type FormProblem,
  type FormProblems,
  initialSaleForm,
  NEW_PRODUCT,
  type SaleFormValues,
  toNewSale,
  toSlug,
  toStrategy,
} from './sale-form-values';
import { StrategyField } from './strategy-field';

const CURRENCIES = ['USD', 'EUR', 'GBP', 'CNY', 'JPY'];

/** Fields of the server's answer → fields of this form. */
const SERVER_FIELDS: Record<string, keyof SaleFormValues> = {
  name: 'productName',
  slug: 'productSlug',
  description: 'description',
  title: 'title',
  priceMinor: 'price',
  listPriceMinor: 'listPrice',
  totalStock: 'totalStock',
  limitPerUser: 'limitPerUser',
  startsAt: 'startsAt',
  endsAt: 'endsAt',
  entryOpensAt: 'entryMinutes',
  paymentWindowSec: 'paymentMinutes',
  minLevel: 'minLevel',
  minAccountAgeSec: 'minAccountDays',
  requireVerifiedEmail: 'verifiedEmail',
  strategy: 'strategy',
  'reservation.opensAt': 'reservationOpensAt',
  'reservation.closesAt': 'reservationClosesAt',
  onStockOutage: 'onStockOutage',
  challenge: 'challenge',
};

function fieldProblems(error: unknown): FormProblems {
  if (!(error instanceof ApiProblem)) return {};
  if (error.code === 'SLUG_TAKEN') return { productSlug: { key: 'wrong' } };
  return Object.fromEntries(
    error.fields.flatMap(({ path }) => {
      const field = SERVER_FIELDS[path];
      return field ? [[field, { key: 'wrong' } satisfies FormProblem]] : [];
    }),
  );
}

/** Creates a sale as a draft, together with its product if that is new. */
export function SaleForm() {
  const t = useTranslations('Admin.form');
  const problemText = useProblemText();
  const router = useRouter();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(() => initialSaleForm(Date.now(), 'USD', picturePath(PICTURES[0])));
  const [problems, setProblems] = useState<FormProblems>({});
  const [limits, setLimits] = useState(() => toLimitValues(null));
  const [limitProblems, setLimitProblems] = useState<LimitProblems>({});
  /** A product made by a first try whose sale was then refused: the second try must not make another. */
  const madeProduct = useRef<{ slug: string; productId: string } | null>(null);
  const { data } = useQuery({
    queryKey: ['admin-products'],
    queryFn: ({ signal }) => getAdminProducts(signal),
  });

  const productOf = async ({
    productId,
    productSlug: slug,
    productName,
    description,
    picture,
  }: SaleFormValues) => {
    if (productId !== NEW_PRODUCT) return productId;
    if (madeProduct.current?.slug === slug) return madeProduct.current.productId;
    const made = await postProduct({
      slug,
      name: productName.trim(),
      description: description.trim(),
      imageUrl: picture,
    });
    madeProduct.current = { slug, productId: made.productId };
    return made.productId;
  };
  const create = useMutation({
    mutationFn: async (given: SaleFormValues) =>
      postSale({ ...toNewSale(given, await productOf(given)), limits: toLimits(limits) }),
    onSuccess: ({ saleId }) => {
      void client.invalidateQueries({ queryKey: ['admin-sales'] });
      router.push(`/admin/sales/${saleId}`);
    },
    onError: (error) => setProblems(fieldProblems(error)),
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkSaleForm(values);
    const foundLimits = checkLimits(limits);
    setProblems(found);
    setLimitProblems(foundLimits);
    const [first] = [...Object.keys(found), ...Object.keys(foundLimits)];
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    else create.mutate(values);
  };
  const field = (name: keyof SaleFormValues) => {
    const problem = problems[name];
    return {
      name,
      value: values[name],
      error: problem ? t(problem.key, { min: problem.key === 'notANumber' ? problem.min : 0 }) : null,
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
        setValues((old) => {
          const next = { ...old, [name]: target.value };
          const hasOwnSlug = old.productSlug !== toSlug(old.productName);
          if (name === 'productName' && !hasOwnSlug) next.productSlug = toSlug(target.value);
          return next;
        }),
    };
  };
  const isBusy = create.isPending || create.isSuccess;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  return (
    <Card className="p-5 sm:p-6">
      <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-5">
        <h2 className="font-semibold text-xl">{t('heading')}</h2>
        {create.error ? (
          <Notice tone="danger" role="alert">
            {problemText(create.error)}
          </Notice>
        ) : null}
        <SelectField label={t('product')} {...field('productId')}>
          <option value={NEW_PRODUCT}>{t('newProduct')}</option>
          {data?.products.map(({ productId, name }) => (
            <option key={productId} value={productId}>
              {name}
            </option>
          ))}
        </SelectField>
        {values.productId === NEW_PRODUCT ? (
          <div className="grid gap-5 sm:grid-cols-2">
            <TextField label={t('productName')} {...field('productName')} />
            <TextField label={t('productSlug')} hint={t('slugHint')} {...field('productSlug')} />
            <div className="sm:col-span-2">
              <TextAreaField label={t('description')} {...field('description')} />
            </div>
            <SelectField label={t('picture')} {...field('picture')}>
              {PICTURES.map((name) => (
                <option key={name} value={picturePath(name)}>
                  {name}
                </option>
              ))}
            </SelectField>
          </div>
        ) : null}
        <TextField label={t('title')} {...field('title')} />
        <div className="grid gap-5 sm:grid-cols-3">
          <TextField label={t('price')} inputMode="decimal" {...field('price')} />
          <TextField label={t('listPrice')} inputMode="decimal" {...field('listPrice')} />
          <SelectField label={t('currency')} {...field('currency')}>
            {CURRENCIES.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </SelectField>
          <TextField
            label={t('totalStock')}
            hint={t('totalStockHint')}
            inputMode="numeric"
            {...field('totalStock')}
          />
          <TextField label={t('limitPerUser')} inputMode="numeric" {...field('limitPerUser')} />
          <TextField label={t('minLevel')} inputMode="numeric" {...field('minLevel')} />
          <TextField label={t('minAccountAge')} inputMode="numeric" {...field('minAccountDays')} />
          <div className="sm:col-span-2">
            <SelectField label={t('requireVerifiedEmail')} {...field('verifiedEmail')}>
              <option value="no">{t('verified.no')}</option>
              <option value="yes">{t('verified.yes')}</option>
            </SelectField>
          </div>
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('startsAt')}
            type="datetime-local"
            hint={t('timesLocal', { zone })}
            {...field('startsAt')}
          />
          <TextField label={t('endsAt')} type="datetime-local" {...field('endsAt')} />
          <TextField label={t('entryOpensAt')} inputMode="numeric" {...field('entryMinutes')} />
          <TextField label={t('paymentWindow')} inputMode="decimal" {...field('paymentMinutes')} />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t('reservationOpensAt')}
            type="datetime-local"
            hint={t('reservationHint')}
            {...field('reservationOpensAt')}
          />
          <TextField
            label={t('reservationClosesAt')}
            type="datetime-local"
            {...field('reservationClosesAt')}
          />
        </div>
        <ChallengeField {...field('challenge')} />
        <StrategyField {...field('strategy')} />
        <details className="rounded-xl border border-line px-4 open:pb-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-medium">{t('limits')}</summary>
          <div className="grid gap-5">
            <LimitFields values={limits} problems={limitProblems} onChange={setLimits} />
          </div>
        </details>
        {toStrategy(values.strategy) === 'script' ? <OutageField {...field('onStockOutage')} /> : null}
        <Button type="submit" tone="primary" size="lg" disabled={isBusy} className="justify-self-start">
          {t(isBusy ? 'creating' : 'create')}
        </Button>
      </form>
    </Card>
  );
}
