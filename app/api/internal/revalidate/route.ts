import { revalidatePath } from 'next/cache';
import { after } from 'next/server';
import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { isInternal } from '@/lib/internal-authorization';
import { pageAddresses } from '@/lib/pages/page-addresses';
import { announcePages, forgetPages, warmPages } from '@/lib/server/page-changes';

const bodySchema = z.object({
  paths: z
    .array(
      z
        .string()
        .regex(/^\/[\w/-]*$/)
        .max(200),
    )
    .max(1000),
  /** The sender notifies every process itself: renew only this process's pages. */
  isLocal: z.boolean().default(false),
  /** Renew every page. */
  isAll: z.boolean().default(false),
});

/**
 * Renews prerendered pages in every language: at once in this process, soon afterwards in the others. Only our own
 * processes may call it.
 */
export const POST = route(async (request) => {
  if (!isInternal(request.headers.get('authorization') ?? '')) return problem('NOT_FOUND');
  const body = await readJson(request, bodySchema, { maxBytes: 256 * 1024 });
  if (!body.ok) return body.response;
  const { paths, isLocal, isAll } = body.data;
  if (isAll) revalidatePath('/', 'layout');
  for (const path of paths) {
    for (const locale of routing.locales) revalidatePath(`/${locale}${path === '/' ? '' : path}`);
  }
  const addresses = isAll ? undefined : paths.flatMap(pageAddresses);
  forgetPages(addresses);
  after(async () => {
    // Next renews a page only after the handler is done, so the copy kept until now may still be the old page.
    forgetPages(addresses);
    if (!isLocal) await announcePages(paths);
    if (addresses) await warmPages(addresses);
  });
  return json({ revalidated: paths.length });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
