'use client';

import { useTranslations } from 'next-intl';
import { type ChangeEvent, useState } from 'react';
import { TextAreaField, TextField } from '@/components/ui/field';
import { LANGUAGE_NAMES, type Locale, routing } from '@/i18n/routing';
import type { Product } from '@/lib/contract/shapes/product';
import { type LanguageField, TEXT_FIELDS, type TextName } from './language-values';

interface LanguageTextsProps {
  product: Product | null;
  /** Binds a field. */
  field: (name: LanguageField) => {
    name: string;
    error: string | null;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
}

/** Asks for a product's texts in each language. */
export const LanguageTexts = ({ product, field }: LanguageTextsProps) =>
  routing.locales.map((locale) => (
    <Section
      key={locale}
      language={LANGUAGE_NAMES[locale]}
      hasTexts={product?.texts[locale] !== undefined}
      bind={(name) => ({ ...field(`${name}.${locale}`), lang: locale })}
    />
  ));

interface SectionProps {
  language: string;
  hasTexts: boolean;
  bind: (name: TextName) => ReturnType<LanguageTextsProps['field']> & { lang: Locale };
}

function Section({ language, hasTexts, bind }: SectionProps) {
  const t = useTranslations('AdminProducts.form');
  const [isOpen, setIsOpen] = useState(hasTexts);
  const isShown = isOpen || TEXT_FIELDS.some((name) => bind(name).error !== null);
  const heading = t('inLanguage', { language });
  return (
    <details
      className="rounded-xl border border-line px-4 open:pb-4"
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center font-medium">{heading}</summary>
      {isShown ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a grid in every browser
        <div role="group" aria-label={heading} className="grid gap-5">
          <p className="text-muted text-sm">{t('inLanguageHint')}</p>
          <TextField {...bind('name')} label={t('name')} maxLength={200} />
          <TextAreaField {...bind('description')} label={t('description')} maxLength={10_000} />
          <TextAreaField {...bind('attributes')} label={t('attributes')} hint={t('attributesHint')} />
        </div>
      ) : null}
    </details>
  );
}
