import { notFound } from 'next/navigation';
import { hasLocale } from 'next-intl';
import { getTranslations, setRequestLocale } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type Locale, routing } from './routing';

type PageProps = { params: Promise<{ locale: string }> };

/** Serves as `generateStaticParams` of pages without data: one page per language, made at build time. */
export const everyLocale = () => routing.locales.map((locale) => ({ locale }));

/**
 * Serves as `generateStaticParams` of a page for one of many things: one shell per language for all of them (see
 * next.config.ts). The browser reads from its own address which one is meant, and fetches it.
 * @param name the parameter of the page's folder
 */
export const everyShell = (name: string) => () =>
  everyLocale().map((params) => ({ ...params, [name]: 'shell' }));

/**
 * Reads the language from a page's parameters and sets it for the request, which keeps the page static. Answers "not
 * found" for an unknown language.
 */
export async function staticLocale(params: PageProps['params']): Promise<Locale> {
  const { locale } = await params;
  if (!hasLocale(routing.locales, locale)) notFound();
  setRequestLocale(locale);
  return locale;
}

type Translator = Awaited<ReturnType<typeof getTranslations<never>>>;

/** Makes the `generateMetadata` of a page whose title depends on nothing but the language. */
export const titled =
  (titleOf: (t: Translator) => string) =>
  async ({ params }: PageProps) => ({
    title: titleOf(await getTranslations({ locale: await staticLocale(params) })),
  });

/** Makes a page whose content depends on nothing but the language. */
export const staticPage =
  (render: () => ReactNode | Promise<ReactNode>) =>
  async ({ params }: PageProps) => {
    await staticLocale(params);
    return render();
  };
