import 'server-only';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerRegister } from '@/lib/access/answer-register';
import { answerSignIn } from '@/lib/access/answer-sign-in';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';
import { bodyLimit } from './body-limit';
import { requestAddress } from './client-header';
import { LIMITS } from './limits';
import { readBody } from './read-body';
import { writeResponse } from './write-response';

type Answer = (request: Request, context: { params: Promise<Record<string, never>> }) => Promise<Response>;

/** As the route handlers in `app/api` answer them. */
const ANSWERS = new Map<string, Answer>([
  [
    '/api/auth/callback/credentials',
    route((request) => answerSignIn(request, requestAddress(request.headers))),
  ],
  ['/api/register', route((request) => answerRegister(request, requestAddress(request.headers)))],
]);

/** Says whether a request brings a password that has to wait for its turn. Only in its plainest spelling. */
export const bringsPassword = ({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean =>
  method === 'POST' && ANSWERS.has(url ?? '');

/**
 * Answers sign-ins and registrations in Next's process, but without Next, whose routing costs more than all that a
 * sign-in does besides its hash.
 * @param common headers of every answer: name, value …
 * @throws ClientGoneError
 */
export async function answerPassword(
  request: IncomingMessage,
  response: ServerResponse,
  common: readonly string[],
): Promise<void> {
  const path = request.url ?? '';
  // Our server in front has bounded the body already.
  const body = await readBody(request, { maxBytes: bodyLimit(path), withinMs: LIMITS.bodyTimeoutMs });
  if (typeof body === 'string') return writeResponse(response, problem('TOO_LARGE'), common);
  const asked = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: headersOf(request),
    body: body.toString(),
  });
  const answered = await ANSWERS.get(path)?.(asked, { params: Promise.resolve({}) });
  if (!answered) throw new Error(`${path} brings no password`);
  await writeResponse(response, answered, common);
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  return headers;
}
