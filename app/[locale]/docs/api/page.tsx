import { getTranslations } from 'next-intl/server';
import { apiDocument } from '@/app/openapi/document';
import { Page } from '@/components/layout/page';
import { Link } from '@/i18n/navigation';
import { everyLocale, staticPage, titled } from '@/i18n/static-page';
import { type Chapter, chapterAddress, ENDS, listChapters } from './chapters';
import { Says } from './says';

/**
 * Lists every operation, for searching with the browser; a chapter's page has the details. Made from the same document
 * as `/api/openapi.json`; works without scripts. The descriptions of the operations are in English.
 */
export const dynamic = 'force-static';
export const generateStaticParams = everyLocale;
export const generateMetadata = titled((t) => t('ApiDocs.title'));

export default staticPage(async () => {
  const t = await getTranslations('ApiDocs');
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
        <Says text={apiDocument().info.description} />
      </p>
      <div className="mt-10 grid max-w-3xl gap-10">
        {listChapters().map((chapter) => (
          <ChapterSummary key={chapter.id} {...chapter} />
        ))}
        {ENDS.map((id) => (
          <h2 key={id} className="font-bold text-2xl tracking-tight">
            <Link href={chapterAddress(id)} prefetch={false} className="underline underline-offset-4">
              {t(id === 'codes' ? 'refusals' : id)}
            </Link>
          </h2>
        ))}
      </div>
    </Page>
  );
});

function ChapterSummary({ id, name, description, operations }: Chapter) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} lang="en" className="scroll-mt-4 font-bold text-2xl tracking-tight">
        <Link href={chapterAddress(id)} prefetch={false} className="underline underline-offset-4">
          {name}
        </Link>
      </h2>
      <p className="mt-1 text-muted">
        <Says text={description} />
      </p>
      <ul lang="en" className="mt-4 grid gap-2 [&_code]:text-muted [&_code]:text-sm [overflow-wrap:anywhere]">
        {operations.map(({ method, path, operation: { operationId } }) => (
          <li key={operationId}>
            <Link
              href={chapterAddress(id, operationId)}
              prefetch={false}
              className="inline-flex min-h-11 items-center pr-3 font-semibold hover:underline sm:min-h-8"
            >
              {operationId}
            </Link>
            <code>
              {method.toUpperCase()} {path}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
