import { timingSafeEqual } from 'node:crypto';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { env } from '@/lib/env';
import { json } from '@/lib/http/json';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

const bodySchema = z.object({
  paths: z
    .array(
      z
        .string()
        .regex(/^\/[\w/-]*$/)
        .max(200),
    )
    .max(1000),
});

/** Renews prerendered pages in every language; for our own processes only. */
export const POST = route(async (request) => {
  if (!isOurs(request.headers.get('authorization') ?? '')) return problem('NOT_FOUND');
  const body = await readJson(request, bodySchema, { maxBytes: 256 * 1024 });
  if (!body.ok) return body.response;
  for (const path of body.data.paths) {
    for (const locale of routing.locales) revalidatePath(`/${locale}${path === '/' ? '' : path}`);
  }
  return json({ revalidated: body.data.paths.length });
});

function isOurs(authorization: string): boolean {
  const given = Buffer.from(authorization);
  const wanted = Buffer.from(`Bearer ${env().internalSecret}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
