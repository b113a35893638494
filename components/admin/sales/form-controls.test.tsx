import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import messages from '@/messages/en.json';
import { toLimitValues } from './limit-values';
import { initialSaleForm, type SaleFormValues } from './sale-form-values';
import { StepPrice } from './step-price';
import type { FieldOf } from './step-props';
import { StepWhat } from './step-what';
import { StepWhen } from './step-when';
import { StepWho } from './step-who';

/** A merchant in two shops has a choice. */
const shops = ['one', 'other'].map((shopId) => ({ shopId, name: shopId, standing: null }));
const initial = initialSaleForm(Date.now(), 'USD', '/products/lamp.svg');

/** Lists the fields for which the form has a control, with such values. */
function controlsOf(changed: Partial<SaleFormValues>): string[] {
  const values = { ...initial, ...changed };
  const field: FieldOf = (name) => ({ name, value: String(values[name]), error: null, onChange: () => {} });
  const none = () => null;
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={messages}>
      <StepWhat field={field} values={values} products={[]} campaigns={[]} shops={shops} onTitles={none} />
      <StepPrice field={field} values={values} pictures={[]} errorOf={none} onVariants={none} />
      <StepWhen field={field} values={values} />
      <StepWho
        field={field}
        values={values}
        limits={toLimitValues(null)}
        limitProblems={{}}
        onLimits={() => {}}
      />
    </NextIntlClientProvider>,
  );
  return [...html.matchAll(/ name="([^"]+)"/g)].map(([, name = '']) => name.split('.')[0] as string);
}

it('[L3] the sale form has a control for each of its fields', () => {
  const shown = new Set([
    ...controlsOf({ admission: 'waiting_room', challenge: 'slider' }),
    ...controlsOf({ admission: 'draw', delivery: 'pickup' }),
  ]);
  expect(Object.keys(initial).filter((name) => !shown.has(name))).toEqual([]);
});
