import { getTranslations } from 'next-intl/server';
import type { ListedOperation } from '@/app/openapi/document';

interface ContentsProps {
  chapters: { id: string; name: string; operations: ListedOperation[] }[];
}

/** The chapters without operations. */
const ENDS = ['objects', 'codes'] as const;

/** Lists the chapters and their operations: beside the text where there is room, folded above it on a phone. */
export async function Contents({ chapters }: ContentsProps) {
  const t = await getTranslations('ApiDocs');
  const list = (
    <ul className="grid gap-1">
      {[
        ...chapters,
        ...ENDS.map((id) => ({ id, name: t(id === 'codes' ? 'refusals' : id), operations: [] })),
      ].map(({ id, name, operations }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="inline-flex min-h-11 items-center font-semibold hover:underline lg:min-h-8"
          >
            {name}
          </a>
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
