import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { apiDocument, listOperations } from '@/app/openapi/document';
import { type Row, toRows } from '@/app/openapi/to-rows';
import { Page } from '@/components/layout/page';
import { everyLocale, staticLocale } from '@/i18n/static-page';
import { ERROR_CODES } from '@/lib/errors/codes';
import { Contents } from './contents';
import { FieldTable } from './field-table';
import { OperationSection } from './operation-section';
import { Says } from './says';

/**
 * Made from the same document as `/api/openapi.json`; works without scripts. The descriptions of the operations are
 * in English.
 */
export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;

/** Says what every error code means. */
const REFUSALS: Row[] = Object.entries(ERROR_CODES).map(([code, { status, title }]) => ({
  name: code,
  type: String(status),
  isRequired: true,
  notes: [title],
}));

interface ApiDocsProps {
  params: Promise<{ locale: string }>;
}

export async function generateMetadata({ params }: ApiDocsProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'ApiDocs' });
  return { title: t('title') };
}

export default async function ApiDocs({ params }: ApiDocsProps) {
  await staticLocale(params);
  const t = await getTranslations('ApiDocs');
  const { tags, info, components } = apiDocument();
  const operations = listOperations();
  const chapters = tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(/\W+/g, '-'),
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return (
    <Page>
      <h1 className="font-bold text-3xl tracking-tight sm:text-4xl">{t('title')}</h1>
      <p className="mt-2 max-w-3xl text-lg text-muted">
        {t.rich('intro', {
          link: (words) => (
            <a href="/api/openapi.json" className="text-text underline">
              {words}
            </a>
          ),
        })}
      </p>
      <p className="mt-2 max-w-3xl text-muted">
        <Says text={info.description} />
      </p>
      <div className="mt-8 grid gap-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-12">
        <Contents chapters={chapters} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-12">
          {chapters.map(({ id, name, description, operations: listed }) => (
            <section key={id} aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-6">
              <div>
                <h2 id={id} lang="en" className="scroll-mt-4 font-bold text-2xl tracking-tight">
                  {name}
                </h2>
                <p className="mt-1 max-w-3xl text-muted">
                  <Says text={description} />
                </p>
              </div>
              {listed.map((one) => (
                <OperationSection key={one.operation.operationId} {...one} />
              ))}
            </section>
          ))}
          <section aria-labelledby="objects" className="grid grid-cols-[minmax(0,1fr)] gap-6">
            <div>
              <h2 id="objects" className="scroll-mt-4 font-bold text-2xl tracking-tight">
                {t('objects')}
              </h2>
              <p className="mt-1 text-muted">{t('objectsIntro')}</p>
            </div>
            {Object.entries(components.schemas).map(([name, schema]) => (
              <div key={name}>
                <h3 id={`object-${name}`} className="mb-2 scroll-mt-4 font-semibold text-lg">
                  {name}
                </h3>
                <FieldTable caption={name} rows={toRows(schema)} />
              </div>
            ))}
          </section>
          <section aria-labelledby="codes">
            <h2 id="codes" className="mb-4 scroll-mt-4 font-bold text-2xl tracking-tight">
              {t('refusals')}
            </h2>
            <FieldTable caption={t('refusals')} rows={REFUSALS} />
          </section>
        </div>
      </div>
    </Page>
  );
}
