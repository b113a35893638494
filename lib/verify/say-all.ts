import type { Statement } from '@/lib/contract/shapes/live';
import { SENTENCES } from '@/lib/contract/words/sentences';

/** Joins the statements into one English text. */
export const sayAll = (statements: readonly Statement[]): string =>
  statements
    .map(({ code, values }) =>
      SENTENCES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    )
    .join('; ');
