'use client';

import { useQuery } from '@tanstack/react-query';
import { useLocale, useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { request } from '@/components/api/request';
import { Button } from '@/components/ui/button';
import { SelectField, TextField } from '@/components/ui/field';
import { Problem } from '@/components/ui/problem';
import type { Address } from '@/lib/contract/shapes/address';
import { ADDRESS_LENGTHS } from '@/lib/contract/words/delivery';
import {
  type AddressProblems,
  type AddressValues,
  checkValues,
  fromValues,
  guessCountry,
  toValues,
} from './address-values';
import { countryName } from './country-name';

interface AddressFormProps {
  /** What the form begins with; null: it is empty. */
  before: Address | null;
  action: { isPending: boolean; error: unknown };
  /** The text on the button. */
  button: string;
  onSend: (address: Address) => void;
  /** Another button, after the form's own. */
  beside?: ReactNode;
  /** Further fields, at the end. */
  children?: ReactNode;
}

/** Asks for an address, with the fields of its country. */
export function AddressForm({ before, action, button, onSend, beside, children }: AddressFormProps) {
  const t = useTranslations('Address');
  const locale = useLocale();
  const element = useRef<HTMLFormElement>(null);
  const [country, setCountry] = useState(() => before?.country ?? guessCountry(navigator.languages));
  const [values, setValues] = useState(() => toValues(before));
  const [problems, setProblems] = useState<AddressProblems>({});
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['address-form', country],
    queryFn: ({ signal }) => request('GET /api/address-form', { query: { country }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });
  const parts = data?.parts ?? [];
  const exampleOf = (name: string) => parts.find((part) => part.name === name)?.example ?? '';
  const field = (name: keyof AddressValues, label: string, isOptional: boolean) => {
    const problem = problems[name];
    const example = exampleOf(name);
    return {
      label,
      name,
      value: values[name],
      maxLength: name === 'line1' || name === 'line2' ? ADDRESS_LENGTHS.line : ADDRESS_LENGTHS[name],
      error: problem ? t(problem, { example }) : null,
      hint: example ? t('example', { example }) : isOptional ? t('optional') : undefined,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        setValues((old) => ({ ...old, [name]: target.value })),
    };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkValues(values, parts);
    setProblems(found);
    const [first] = Object.keys(found);
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    else onSend(fromValues(values, country));
  };
  const names = (data?.countries ?? [country])
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
  return (
    <form ref={element} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <SelectField
        label={t('country')}
        name="country"
        autoComplete="country"
        value={country}
        onChange={({ target }) => {
          setCountry(target.value);
          setProblems({});
        }}
      >
        {names.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField {...field('name', t('name'), false)} autoComplete="name" />
      <TextField {...field('line1', t('line1'), false)} autoComplete="address-line1" />
      <TextField {...field('line2', t('line2'), true)} autoComplete="address-line2" />
      {parts.map(({ name, isRequired }) => (
        <TextField key={name} {...field(name, t(name), !isRequired)} autoComplete={COMPLETE[name]} />
      ))}
      <TextField {...field('phone', t('phone'), true)} type="tel" autoComplete="tel" />
      {children}
      <Problem error={action.error ?? error} />
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          tone="primary"
          isBusy={action.isPending}
          disabled={data === undefined || isPlaceholderData}
        >
          {button}
        </Button>
        {beside}
      </div>
    </form>
  );
}

const COMPLETE = { city: 'address-level2', region: 'address-level1', postalCode: 'postal-code' } as const;
