import { notFound } from 'next/navigation';
import { hasLocale } from 'next-intl';
import { setRequestLocale } from 'next-intl/server';
import { type Locale, routing } from './routing';

/** Serves as `generateStaticParams` of pages without data: one page per language, made at build time. */
export const everyLocale = () => routing.locales.map((locale) => ({ locale }));

/**
 * Reads the language from a page's parameters and sets it for the request, which keeps the page static. Answers "not
 * found" for an unknown language.
 */
export async function staticLocale(params: Promise<{ locale: string }>): Promise<Locale> {
  const { locale } = await params;
  if (!hasLocale(routing.locales, locale)) notFound();
  setRequestLocale(locale);
  return locale;
}
