'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useId, useRef } from 'react';
import { Picture } from '@/components/sale/picture';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import type { Picture as UploadedOne } from '@/lib/contract/shapes/picture';
import { mediaPath } from '@/lib/contract/words/media';
import { MAX_VARIANT_NAME, MAX_VARIANTS } from '@/lib/contract/words/variant';
import { moved } from '../kit/moved';
import { RowButtons, type RowButtonsProps } from '../kit/row-buttons';
import { newVariant, type VariantField, type VariantValues } from './variant-values';

export interface VariantFieldsProps {
  variants: readonly VariantValues[];
  /** The uploaded pictures of the product, among which a variant may have one. */
  pictures: readonly UploadedOne[];
  errorOf: (field: VariantField | 'variants') => string | null;
  onChange: (variants: VariantValues[]) => void;
}

/** Asks for the variants of a sale, each with its stock, and lets the user order them. */
export function VariantFields({ variants, pictures, errorOf, onChange }: VariantFieldsProps) {
  const t = useTranslations('Admin.form.variants');
  const [headingId, hintId, errorId] = [useId(), useId(), useId()];
  const add = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const isAdding = useRef(false);
  const error = errorOf('variants');
  const isFull = variants.length >= MAX_VARIANTS;
  // biome-ignore lint/correctness/useExhaustiveDependencies(variants.length): the new row exists once the number has changed
  useEffect(() => {
    if (!isAdding.current) return;
    isAdding.current = false;
    list.current?.querySelector<HTMLElement>(':scope > :last-child input')?.focus();
  }, [variants.length]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a grid in every browser
    <div role="group" aria-labelledby={headingId} aria-describedby={hintId} className="grid gap-3">
      <p id={headingId} className="font-medium">
        {t('heading')}
      </p>
      <p id={hintId} className="max-w-prose text-muted text-sm">
        {t('hint')}
      </p>
      {variants.length > 0 ? (
        <ol ref={list} className="grid gap-3">
          {variants.map((variant, index) => (
            <VariantRow
              key={variant.id}
              variant={variant}
              number={index + 1}
              isLast={index === variants.length - 1}
              pictures={pictures}
              errorOf={(name) => errorOf(`variants.${index}.${name}`)}
              onChange={(change) =>
                onChange(variants.map((each, at) => (at === index ? { ...each, ...change } : each)))
              }
              onMove={(by) => onChange(moved(variants, index, by))}
              onRemove={() => {
                onChange(variants.filter((_, at) => at !== index));
                // The button that was pressed goes: a visitor without a mouse would start at the top of the page.
                add.current?.focus();
              }}
            />
          ))}
        </ol>
      ) : null}
      <Button
        ref={add}
        name="variants"
        aria-describedby={error ? errorId : undefined}
        className="justify-self-start"
        disabled={isFull}
        onClick={() => {
          isAdding.current = true;
          onChange([...variants, newVariant()]);
        }}
      >
        {t('add')}
      </Button>
      {error ? (
        <p id={errorId} className="text-danger text-sm">
          {error}
        </p>
      ) : null}
      {isFull ? <p className="text-muted text-sm">{t('full', { max: MAX_VARIANTS })}</p> : null}
    </div>
  );
}

interface VariantRowProps
  extends Pick<VariantFieldsProps, 'pictures'>,
    Pick<RowButtonsProps, 'isLast' | 'onMove' | 'onRemove'> {
  variant: VariantValues;
  /** From 1. */
  number: number;
  errorOf: (name: 'name' | 'stock' | 'picture') => string | null;
  onChange: (change: Partial<VariantValues>) => void;
}

/** Asks for one variant, and moves or removes it. */
function VariantRow({
  variant,
  number,
  isLast,
  pictures,
  errorOf,
  onChange,
  onMove,
  onRemove,
}: VariantRowProps) {
  const t = useTranslations('Admin.form.variants');
  const text = (name: 'name' | 'stock') => ({
    label: t(name),
    name: `variants.${number - 1}.${name}`,
    value: variant[name],
    error: errorOf(name),
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [name]: target.value }),
  });
  return (
    <li className="rounded-card border border-line p-3 sm:p-4">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a grid in every browser */}
      <div role="group" aria-label={t('one', { number })} className="grid gap-3">
        <div className="grid gap-3 sm:grid-cols-[1fr_10rem]">
          <TextField {...text('name')} maxLength={MAX_VARIANT_NAME} />
          <TextField {...text('stock')} inputMode="numeric" />
        </div>
        {pictures.length > 0 ? (
          <PictureChoice
            pictures={pictures}
            chosen={variant.picture}
            error={errorOf('picture')}
            onChoose={(picture) => onChange({ picture })}
          />
        ) : null}
        <RowButtons
          name={t('one', { number })}
          isFirst={number === 1}
          isLast={isLast}
          onMove={onMove}
          onRemove={onRemove}
        />
      </div>
    </li>
  );
}

interface PictureChoiceProps {
  pictures: readonly UploadedOne[];
  /** Empty: none. */
  chosen: string;
  error: string | null;
  onChoose: (hash: string) => void;
}

/** Offers the product's pictures, and none. */
function PictureChoice({ pictures, chosen, error, onChoose }: PictureChoiceProps) {
  const t = useTranslations('Admin.form.variants');
  const group = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('picture')}</legend>
      <div className="flex flex-wrap gap-2">
        {['', ...pictures.map(({ hash }) => hash)].map((hash, index) => (
          <label
            key={hash}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-lg border border-control px-2 py-1 has-checked:border-text has-checked:ring-1 has-checked:ring-text"
          >
            <input
              type="radio"
              name={group}
              className="size-5 accent-text"
              aria-label={
                index === 0 ? undefined : pictures[index - 1]?.alt || t('pictureNumber', { number: index })
              }
              checked={chosen === hash}
              onChange={() => onChoose(hash)}
            />
            {hash === '' ? (
              t('noPicture')
            ) : (
              <span className="w-14">
                <Picture src={mediaPath(hash, 320, 'webp')} className="rounded" />
              </span>
            )}
          </label>
        ))}
      </div>
      {error ? <p className="mt-1.5 text-danger text-sm">{error}</p> : null}
    </fieldset>
  );
}
