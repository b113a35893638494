import 'server-only';
import { may, type Permission } from '@/lib/contract/words/roles';
import { isJsonType } from '@/lib/http/is-json-type';
import { problem } from '@/lib/http/problem';
import { isSameOrigin } from '@/lib/http/same-origin';
import { noteEvent } from '@/lib/security/note-event';
import { currentUser } from './current-user';
import type { CurrentUser } from './types';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * The gate of every cookie-authenticated endpoint: who is asking, may they, and does it come from our own pages?
 * @param require what the endpoint needs (see roles.ts)
 * @returns the user, or the refusal to answer with: 401 UNAUTHENTICATED, 403 CSRF, 403 FORBIDDEN.
 */
export async function authorize(
  request: Request,
  require: Permission = 'user',
): Promise<{ ok: true; user: CurrentUser } | { ok: false; response: Response }> {
  const user = await currentUser();
  if (!user) return { ok: false, response: problem('UNAUTHENTICATED') };
  if (!SAFE_METHODS.has(request.method) && !isFromOurPages(request))
    return { ok: false, response: problem('CSRF') };
  if (!may(user.role, require)) {
    noteRefusal(user, require);
    return { ok: false, response: problem('FORBIDDEN') };
  }
  return { ok: true, user };
}

/** Somebody who is signed in tried what is not theirs to do. */
const noteRefusal = ({ userId, role }: CurrentUser, permission: Permission) =>
  noteEvent({
    action: 'access.refuse',
    actor: { userId, role },
    subject: { kind: 'permission', id: permission },
    facts: {},
  });

/** Same origin, and not one of the content types a plain HTML form could send. */
function isFromOurPages(request: Request): boolean {
  const contentType = request.headers.get('content-type');
  return isSameOrigin(request) && (contentType === null || isJsonType(contentType));
}
