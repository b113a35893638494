import { getTranslations } from 'next-intl/server';
import type { Row } from '@/app/openapi/to-rows';
import { Says } from './says';

interface FieldTableProps {
  /** For whoever can't see what is above it. */
  caption: string;
  rows: Row[];
}

/** Fields, their types and rules; on a phone each field is a block of its own. */
export async function FieldTable({ caption, rows }: FieldTableProps) {
  const t = await getTranslations('ApiDocs');
  return (
    <table className="block w-full text-left text-sm sm:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only sm:not-sr-only sm:table-header-group">
        <tr className="border-line border-b text-muted">
          <th scope="col" className="w-2/5 py-1 pr-4 font-medium">
            {t('name')}
          </th>
          <th scope="col" className="w-1/4 py-1 pr-4 font-medium">
            {t('type')}
          </th>
          <th scope="col" className="py-1 font-medium">
            {t('notes')}
          </th>
        </tr>
      </thead>
      <tbody className="block sm:table-row-group">
        {rows.map(({ name, type, ref, isRequired, notes }) => (
          <tr
            key={name}
            className="block border-line border-b py-1.5 align-top last:border-b-0 sm:table-row sm:py-0"
          >
            <th scope="row" className="block font-normal sm:table-cell sm:py-1 sm:pr-4">
              <code className="font-medium [overflow-wrap:anywhere]">{name || '—'}</code>
              {isRequired ? null : <span className="text-muted"> {t('optional')}</span>}
            </th>
            <td className="block [overflow-wrap:anywhere] sm:table-cell sm:py-1 sm:pr-4">
              {ref ? (
                <a href={`#object-${ref}`} className="underline">
                  {type}
                </a>
              ) : (
                type
              )}
            </td>
            <td className="block text-muted [overflow-wrap:anywhere] sm:table-cell sm:py-1">
              <Says text={notes.join(' · ')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
