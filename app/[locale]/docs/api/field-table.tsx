import { getTranslations } from 'next-intl/server';
import type { Row } from '@/app/openapi/to-rows';
import { Marked } from './says';

interface FieldTableProps {
  /** For screen readers: names what the table describes. */
  caption: string;
  rows: Row[];
}

/** Set once on the table instead of on each cell: the page has three thousand cells. */
const TABLE = [
  'block w-full text-left text-sm sm:table [overflow-wrap:anywhere]',
  '[&_tbody_tr]:block [&_tbody_tr]:border-line [&_tbody_tr]:border-b [&_tbody_tr]:py-1.5 [&_tbody_tr]:align-top',
  '[&_tbody_tr:last-child]:border-b-0 sm:[&_tbody_tr]:table-row',
  '[&_tbody_th]:block [&_tbody_th]:font-mono [&_tbody_th]:font-normal sm:[&_tbody_th]:table-cell sm:[&_tbody_th]:py-1 sm:[&_tbody_th]:pr-4',
  '[&_td]:block sm:[&_td]:table-cell sm:[&_td]:py-1 sm:[&_td]:pr-4',
  '[&_th_span]:font-sans [&_th_span]:text-muted [&_td:last-child]:text-muted',
].join(' ');

/** Shows fields with their types and rules; on a phone each field is a block of its own. */
export async function FieldTable({ caption, rows }: FieldTableProps) {
  const t = await getTranslations('ApiDocs');
  const [only] = rows;
  if (rows.length === 1 && only?.name === '' && only.object)
    return (
      <p className="text-sm">
        <TypeName type={only.type} object={only.object} />
      </p>
    );
  return (
    <table className={TABLE}>
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
        {rows.map(({ name, type, object, isRequired, notes }) => (
          <tr key={name}>
            <th scope="row">
              {name || '—'}
              {isRequired ? null : <span> {t('optional')}</span>}
            </th>
            <td>
              <TypeName type={type} object={object} />
            </td>
            <td lang="en">
              <Marked text={notes.join(' · ')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TypeName = ({ type, object }: Pick<Row, 'type' | 'object'>) =>
  object ? (
    <a href={`#object-${object}`} className="underline">
      {type}
    </a>
  ) : (
    type
  );
