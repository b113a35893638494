import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { apiDocument } from '@/app/openapi/document';
import { type Row, toRows } from '@/app/openapi/to-rows';
import { Page } from '@/components/layout/page';
import { routing } from '@/i18n/routing';
import { staticLocale } from '@/i18n/static-page';
import { ERROR_CODES } from '@/lib/errors/codes';
import { type Chapter, ENDS, type End, listChapters } from '../chapters';
import { Contents } from '../contents';
import { FieldTable } from '../field-table';
import { OperationSection } from '../operation-section';
import { Says } from '../says';

/** One chapter of the interface's description, made while building; there are no others. */
export const dynamic = 'force-static';
export const dynamicParams = false;
export const generateStaticParams = () =>
  routing.locales.flatMap((locale) =>
    [...listChapters().map(({ id }) => id), ...ENDS].map((chapter) => ({ locale, chapter })),
  );

/** Says what every error code means. */
const REFUSALS: Row[] = Object.entries(ERROR_CODES).map(([code, { status, title }]) => ({
  name: code,
  type: String(status),
  isRequired: true,
  notes: [title],
}));

interface ChapterProps {
  params: Promise<{ locale: string; chapter: string }>;
}

const isEnd = (id: string): id is End => ENDS.some((end) => end === id);

async function titleOf(id: string): Promise<string> {
  const t = await getTranslations('ApiDocs');
  if (isEnd(id)) return t(id === 'codes' ? 'refusals' : id);
  return listChapters().find((chapter) => chapter.id === id)?.name ?? notFound();
}

export async function generateMetadata({ params }: ChapterProps): Promise<Metadata> {
  const locale = await staticLocale(params);
  const t = await getTranslations({ locale, namespace: 'ApiDocs' });
  return { title: `${await titleOf((await params).chapter)} · ${t('title')}` };
}

export default async function ApiChapter({ params }: ChapterProps) {
  await staticLocale(params);
  const { chapter: id } = await params;
  const chapters = listChapters();
  const chapter = chapters.find((one) => one.id === id);
  return (
    <Page>
      <div className="grid gap-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-12">
        <Contents chapters={chapters} current={id} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <h1 lang={isEnd(id) ? undefined : 'en'} className="font-bold text-3xl tracking-tight sm:text-4xl">
            {await titleOf(id)}
          </h1>
          {chapter ? <Operations {...chapter} /> : null}
          {id === 'objects' ? <Objects /> : null}
          {id === 'codes' ? <Codes /> : null}
        </div>
      </div>
    </Page>
  );
}

const Operations = ({ description, operations }: Chapter) => (
  <>
    <p className="max-w-3xl text-muted">
      <Says text={description} />
    </p>
    {operations.map((one) => (
      <OperationSection key={one.operation.operationId} {...one} />
    ))}
  </>
);

async function Objects() {
  const t = await getTranslations('ApiDocs');
  return (
    <>
      <p className="text-muted">{t('objectsIntro')}</p>
      {Object.entries(apiDocument().components.schemas).map(([name, schema]) => (
        <div key={name}>
          <h2 id={`object-${name}`} className="mb-2 scroll-mt-4 font-semibold text-lg">
            {name}
          </h2>
          <FieldTable caption={name} rows={toRows(schema)} />
        </div>
      ))}
    </>
  );
}

async function Codes() {
  const t = await getTranslations('ApiDocs');
  return <FieldTable caption={t('refusals')} rows={REFUSALS} />;
}
