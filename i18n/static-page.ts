import { notFound } from 'next/navigation';
import { hasLocale } from 'next-intl';
import { setRequestLocale } from 'next-intl/server';
import { type Locale, routing } from './routing';

/** `generateStaticParams` of pages without data: one page per language, made at build time. */
export const everyLocale = () => routing.locales.map((locale) => ({ locale }));

/**
 * Reads the language out of a page's parameters and makes it the request's, which keeps the page static.
 * Answers "not found" for a language there isn't.
 */
export async function staticLocale(params: Promise<{ locale: string }>): Promise<Locale> {
  const { locale } = await params;
  if (!hasLocale(routing.locales, locale)) notFound();
  setRequestLocale(locale);
  return locale;
}
