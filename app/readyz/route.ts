import { otherMethods } from '@/lib/http/other-methods';
import { readinessReply } from '@/lib/http/readiness-reply';
import { toResponse } from '@/lib/http/reply';

export const dynamic = 'force-dynamic';

/** For `npm run dev`: otherwise our server answers before Next is asked, with the same reply. */
export const GET = async (): Promise<Response> => toResponse(await readinessReply());

export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET');
