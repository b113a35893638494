import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { Page } from '@/components/layout/page';
import { toldPage } from '@/components/layout/told-page';
import type { Locale } from '@/i18n/routing';
import { staticLocale } from '@/i18n/static-page';
import { isSitePage } from '@/lib/contract/words/site-page';
import { findSitePage } from '@/lib/site-page/find-site-page';

/** A page with the shop's own words, made on the first visit and kept until somebody changes it. */
export const dynamic = 'force-static';
export const dynamicParams = true;
export const revalidate = 3600;

interface SitePageProps {
  params: Promise<{ locale: string; page: string }>;
}

/** Prerenders nothing at build time: there is no database then. */
export const generateStaticParams = () => [];

const load = cache(async (page: string, locale: Locale) => {
  const found = isSitePage(page) ? await findSitePage(page, locale) : null;
  return found && isSitePage(page) ? { page, ...found } : null;
});

export async function generateMetadata({ params }: SitePageProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const { page: name } = await params;
  const found = await load(name, locale);
  if (!found) return {};
  const t = await getTranslations({ locale, namespace: 'SitePages' });
  return toldPage({ path: `/info/${name}`, locale, title: t(found.page), description: found.text });
}

export default async function SitePage({ params }: SitePageProps) {
  const locale = await staticLocale(params);
  const { page: name } = await params;
  const found = await load(name, locale);
  if (!found) notFound();
  const t = await getTranslations('SitePages');
  const paragraphs = found.text.split(/(?:\r?\n[\t ]*){2,}/).filter((part) => part.trim() !== '');
  return (
    <Page>
      <article className="grid max-w-3xl gap-6">
        <h1 className="font-bold text-3xl leading-tight tracking-tight sm:text-4xl">{t(found.page)}</h1>
        <div lang={found.locale === locale ? undefined : found.locale} className="grid gap-4">
          {paragraphs.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a paragraph is its place.
            <p key={at} className="whitespace-pre-line [overflow-wrap:anywhere]">
              {part}
            </p>
          ))}
        </div>
      </article>
    </Page>
  );
}
