import 'server-only';
import { may, type Permission } from '@/lib/contract/words/roles';
import { isJsonType } from '@/lib/http/is-json-type';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import type { HeaderReader, RequestHead } from '@/lib/http/request-head';
import { isSameOrigin } from '@/lib/http/same-origin';
import { lacksFactor } from '@/lib/lacks-factor';
import { noteEvent } from '@/lib/security/note-event';
import { currentUser } from './current-user';
import type { CurrentUser } from './types';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Guards every endpoint that goes by the session cookie: finds the user, checks their right, and checks that the
 * request comes from our own pages.
 * @param require what the endpoint needs (see roles.ts)
 * @param identify how the user is found; left out: as of now
 * @param isUpload the body may be a picture
 * @returns the user, or the refusal to answer with: 401 UNAUTHENTICATED, 403 CSRF, 403 FORBIDDEN, 403
 *   SECOND_FACTOR_REQUIRED for staff who lack it.
 */
export async function authorize(
  request: RequestHead,
  require: Permission = 'user',
  identify: (headers: HeaderReader) => Promise<CurrentUser | null> = currentUser,
  isUpload = false,
): Promise<{ ok: true; user: CurrentUser } | { ok: false; reply: Reply }> {
  const user = await identify(request.headers);
  if (!user) return { ok: false, reply: problemReply('UNAUTHENTICATED') };
  if (!SAFE_METHODS.has(request.method) && !isFromOurPages(request, isUpload))
    return { ok: false, reply: problemReply('CSRF') };
  if (!may(user.role, require)) {
    noteForbidden(user, require);
    return { ok: false, reply: problemReply('FORBIDDEN') };
  }
  // Their own account stays open to them: there they add it.
  if (require !== 'user' && lacksFactor(user))
    return { ok: false, reply: problemReply('SECOND_FACTOR_REQUIRED') };
  return { ok: true, user };
}

/** Notes that a signed-in user tried something they may not do. @param permission it, or what was tried in a shop */
export const noteForbidden = ({ userId, role }: CurrentUser, permission: string) =>
  noteEvent({
    action: 'access.refuse',
    actor: { userId, role },
    subject: { kind: 'permission', id: permission },
    facts: {},
  });

const PICTURE_TYPE = /^image\/[\w.+-]+$/i;

/** Checks for the same origin, and for a content type that another site can't send without asking us first. */
function isFromOurPages(request: RequestHead, isUpload: boolean): boolean {
  if (!isSameOrigin(request)) return false;
  const contentType = request.headers.get('content-type');
  return contentType === null || isJsonType(contentType) || (isUpload && PICTURE_TYPE.test(contentType));
}
