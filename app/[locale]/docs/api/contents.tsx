import { getTranslations } from 'next-intl/server';
import { Link } from '@/i18n/navigation';
import { type Chapter, chapterAddress, ENDS, INDEX } from './chapters';

interface ContentsProps {
  chapters: Chapter[];
  /** The chapter this page shows; its operations are listed too. */
  current: string;
}

/** Lists the chapters: beside the text where there is room, folded above it on a phone. */
export async function Contents({ chapters, current }: ContentsProps) {
  const t = await getTranslations('ApiDocs');
  const entries = [
    ...chapters,
    ...ENDS.map((id) => ({ id, name: t(id === 'codes' ? 'refusals' : id), operations: [] })),
  ];
  const list = (
    <ul className="grid gap-1">
      <li>
        <Link
          href={INDEX}
          prefetch={false}
          className="inline-flex min-h-11 items-center hover:underline lg:min-h-8"
        >
          {t('all')}
        </Link>
      </li>
      {entries.map(({ id, name, operations }) => (
        <li key={id}>
          <Link
            href={chapterAddress(id)}
            prefetch={false}
            aria-current={id === current ? 'page' : undefined}
            className="inline-flex min-h-11 items-center font-semibold hover:underline lg:min-h-8"
          >
            {name}
          </Link>
          {id === current && operations.length > 0 ? (
            <ul>
              {operations.map(({ operation: { operationId } }) => (
                <li key={operationId}>
                  <a
                    href={`#${operationId}`}
                    className="inline-flex min-h-11 items-center text-muted text-sm hover:text-text hover:underline lg:min-h-7"
                  >
                    {operationId}
                  </a>
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  );
  return (
    <nav
      aria-label={t('contents')}
      className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto"
    >
      <details className="rounded-card border border-line bg-panel px-4 lg:hidden">
        <summary className="py-2.5 font-semibold">{t('contents')}</summary>
        {list}
      </details>
      <div className="hidden lg:block">{list}</div>
    </nav>
  );
}
