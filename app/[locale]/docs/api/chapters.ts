import { apiDocument, type ListedOperation, listOperations } from '@/app/openapi/document';

export type Chapter = { id: string; name: string; description: string; operations: ListedOperation[] };

/** The chapters without operations, after the others. */
export const ENDS = ['objects', 'codes'] as const;
export type End = (typeof ENDS)[number];

/** Returns the chapters with operations; each has a page of its own, since all of them together are 1.5 MB of HTML. */
export function listChapters(): Chapter[] {
  const operations = listOperations();
  return apiDocument().tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(/\W+/g, '-'),
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

export const INDEX = '/docs/api';

/** Returns the address of a chapter, or of a place in it, without its language. */
export const chapterAddress = (chapter: string, place?: string): string =>
  `${INDEX}/${chapter}${place ? `#${place}` : ''}`;
