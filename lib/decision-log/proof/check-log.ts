import { type LogHead, leaf } from '@/lib/contract/shapes/decision-log';
import { fromBase64url, isSame, type Sha256, utf8, webSha256 } from './bytes';
import { RootBuilder } from './merkle';
import { parseJson } from './parse-json';

type CheckedLog =
  | { ok: true; size: number; byKind: Record<string, number> }
  | { ok: false; fault: 'not_a_leaf' | 'other_sale' | 'too_short' | 'other_root'; line: number | null };

/**
 * Recomputes the root of a whole published log, and compares it with a head's. Lines after the head's size are left out.
 * @param lines of the file, without line ends
 */
export async function checkLog(
  lines: AsyncIterable<string> | Iterable<string>,
  head: LogHead,
  sha256: Sha256 = webSha256,
): Promise<CheckedLog> {
  const builder = new RootBuilder(sha256);
  const byKind: Record<string, number> = {};
  for await (const line of lines) {
    if (builder.size === head.size) break;
    const parsed = leaf.safeParse(parseJson(line));
    if (!parsed.success) return { ok: false, fault: 'not_a_leaf', line: builder.size + 1 };
    if (parsed.data.sale !== head.sale) return { ok: false, fault: 'other_sale', line: builder.size + 1 };
    byKind[parsed.data.kind] = (byKind[parsed.data.kind] ?? 0) + 1;
    await builder.add(utf8(line));
  }
  if (builder.size < head.size) return { ok: false, fault: 'too_short', line: builder.size };
  const isRight = isSame(await builder.root(), fromBase64url(head.root));
  return isRight ? { ok: true, size: head.size, byKind } : { ok: false, fault: 'other_root', line: null };
}
