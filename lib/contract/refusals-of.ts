import type { Permission } from '@/lib/contract/words/roles';
import type { ErrorCode } from '@/lib/errors/codes';
import type { Credential, Operation } from './operation';

const CREDENTIALS = new Set<string>([
  'nothing',
  'entryToken',
  'sessionOrEntryToken',
  'signature',
] satisfies Credential[]);

export const isPermission = (who: Permission | Credential): who is Permission => !CREDENTIALS.has(who);

/** Returns every code an operation may refuse with: its own, and those that follow from its credential, query and body. */
export function refusalsOf({
  method,
  path,
  who,
  query,
  body,
  upload,
  side,
  asksAgain,
  errors = [],
}: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(errors);
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code);
  };
  if (isPermission(who) || who === 'sessionOrEntryToken') add('UNAUTHENTICATED');
  if (isPermission(who) && method !== 'GET') add('CSRF');
  if (isPermission(who) && who !== 'user') add('FORBIDDEN', 'SECOND_FACTOR_REQUIRED');
  if (body) add('MALFORMED', 'TOO_LARGE');
  if (upload) add('TOO_LARGE');
  // The bodies of operations for programs are checked by hand, before anything else.
  if (query || (body && who !== 'entryToken' && who !== 'signature')) add('VALIDATION');
  if (body && who !== 'entryToken' && who !== 'signature') add('UNSUPPORTED_MEDIA_TYPE');
  if (side) add('SWITCHED_OFF');
  if (asksAgain) add('CONFIRM_AGAIN');
  if (path.startsWith('/api/')) add('INTERNAL', 'UNAVAILABLE');
  return [...codes];
}
