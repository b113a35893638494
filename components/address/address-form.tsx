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
  type AddressFaults,
  type AddressValues,
  checkValues,
  fromValues,
  guessCountry,
  refusedValues,
  toValues,
} from './address-values';
import { countryName } from './country-name';

const COMPLETE = { city: 'address-level2', region: 'address-level1', postalCode: 'postal-code' } as const;

interface AddressFormProps {
  /** The form starts with it; null: it is empty. */
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

/** Asks for an address, with the fields of its country. For the browser only. */
export function AddressForm({ before, action, button, onSend, beside, children }: AddressFormProps) {
  const t = useTranslations('Address');
  const element = useRef<HTMLFormElement>(null);
  const [country, setCountry] = useState(() => before?.country ?? guessCountry(navigator.languages));
  const [values, setValues] = useState(() => toValues(before));
  const [faults, setFaults] = useState<AddressFaults>({});
  const { data, error, isPlaceholderData } = useAddressRules(country);
  const parts = data?.parts ?? [];
  const known = { ...refusedValues(action.error), ...faults };
  const field = (name: keyof AddressValues, isOptional: boolean) => {
    const example = parts.find((part) => part.name === name)?.example ?? '';
    const fault = known[name];
    const hint = example ? t('example', { example }) : isOptional ? t('optional') : undefined;
    return {
      label: t(name),
      name,
      value: values[name],
      maxLength: name === 'line1' || name === 'line2' ? ADDRESS_LENGTHS.line : ADDRESS_LENGTHS[name],
      error: fault ? t(fault === 'codeWrong' && !example ? 'wrong' : fault, { example }) : null,
      hint,
      onChange: ({ target }: { target: HTMLInputElement }) =>
        setValues((old) => ({ ...old, [name]: target.value })),
    };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = checkValues(values, parts);
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    else onSend(fromValues(values, country));
  };
  const choose = (code: string) => {
    setCountry(code);
    setFaults({});
  };
  return (
    <form ref={element} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <CountryField country={country} countries={data?.countries ?? [country]} onChoose={choose} />
      <TextField {...field('name', false)} autoComplete="name" />
      <TextField {...field('line1', false)} autoComplete="address-line1" />
      <TextField {...field('line2', true)} autoComplete="address-line2" />
      {parts.map(({ name, isRequired }) => (
        <TextField key={name} {...field(name, !isRequired)} autoComplete={COMPLETE[name]} />
      ))}
      <TextField {...field('phone', true)} type="tel" autoComplete="tel" />
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

const useAddressRules = (country: string) =>
  useQuery({
    queryKey: ['address-form', country],
    queryFn: ({ signal }) => request('GET /api/address-form', { query: { country }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (previous) => previous,
  });

interface CountryFieldProps {
  country: string;
  countries: readonly string[];
  onChoose: (country: string) => void;
}

function CountryField({ country, countries, onChoose }: CountryFieldProps) {
  const t = useTranslations('Address');
  const locale = useLocale();
  const names = countries
    .map((code) => ({ code, name: countryName(code, locale) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale));
  return (
    <SelectField
      label={t('country')}
      name="country"
      autoComplete="country"
      value={country}
      onChange={({ target }) => onChoose(target.value)}
    >
      {names.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
