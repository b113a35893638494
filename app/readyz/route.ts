import { checkReadiness } from '@/lib/http/check-readiness';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';

export const dynamic = 'force-dynamic';

/** Ready to sell? 503 names what is missing. */
export async function GET(): Promise<Response> {
  const readiness = await checkReadiness();
  return json(readiness, {
    status: readiness.ready ? 200 : 503,
    headers: readiness.ready ? {} : { 'retry-after': '1' },
  });
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
