import { getTranslations } from 'next-intl/server';
import type { Row } from '@/app/openapi/to-rows';
import { Link } from '@/i18n/navigation';
import { chapterAddress } from './chapters';
import { Marked } from './says';

interface FieldTableProps {
  /** For screen readers: names what the table describes. */
  caption: string;
  rows: Row[];
}

/**
 * Shows fields with their types and rules; on a phone each field is a block of its own. Its looks are in
 * globals.css: there are 250 such tables with three thousand cells.
 */
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
    <table className="fields">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t('name')}</th>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('notes')}</th>
        </tr>
      </thead>
      <tbody>
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
    <Link href={chapterAddress('objects', `object-${object}`)} prefetch={false} className="underline">
      {type}
    </Link>
  ) : (
    type
  );
