import 'server-only';
import type { z } from 'zod';
import { authorize, noteForbidden } from '@/lib/account/authorize';
import { currentUser } from '@/lib/account/current-user';
import { mustConfirm } from '@/lib/account/must-confirm';
import type { CurrentUser } from '@/lib/account/types';
import type { Credential, Operation } from '@/lib/contract/operation';
import { isPermission } from '@/lib/contract/refusals-of';
import { page } from '@/lib/contract/shapes/common';
import type { Answers, ParamOf } from '@/lib/contract/types';
import { noteWritten } from '@/lib/db/replicas';
import { identifyReader } from '@/lib/entry/identify-reader';
import type { ErrorCode } from '@/lib/errors/codes';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { json } from '@/lib/http/json';
import { type ProblemOptions, problem } from '@/lib/http/problem';
import { MAX_JSON_BYTES, readBytes, readJson, validationProblem } from '@/lib/http/read-json';
import { toResponse } from '@/lib/http/reply';
import { refusingZeros, route } from '@/lib/http/route';
import type { OrderReader } from '@/lib/order/find-order';
import { refuseOff } from '@/lib/switchboard/refuse-off';

/** The client, as far as the operation needs to know. */
type Requester<W> = W extends 'sessionOrEntryToken' ? OrderReader : W extends Credential ? null : CurrentUser;

/** Codes with which any operation may refuse, besides its own. */
type CommonCode = 'VALIDATION' | 'UNAVAILABLE' | 'UNAUTHENTICATED';
type CodeOf<O extends Operation> =
  | CommonCode
  | (O['errors'] extends readonly ErrorCode[] ? O['errors'][number] : never);

/** The input of a handler: all of it is checked against the operation. */
export type Call<O extends Operation> = {
  request: Request;
  user: Requester<O['who']>;
  params: Record<ParamOf<O['path']>, string>;
  query: O['query'] extends z.ZodType ? z.output<O['query']> : undefined;
  /** An upload is the file, at most `maxBytes` long. */
  body: O['body'] extends z.ZodType
    ? z.output<O['body']>
    : O['upload'] extends readonly string[]
      ? Buffer<ArrayBuffer>
      : undefined;
  /** Makes an answer with another status than the lowest of the operation, or with headers of its own. */
  answer: <S extends keyof O['answers'] & number>(
    status: S,
    body: Answers<O>[S],
    headers?: Record<string, string>,
  ) => Response;
  /** Makes one of the refusals that the operation names. */
  refuse: (code: CodeOf<O>, options?: ProblemOptions) => Response;
};

/** The statuses meant when a handler returns a body alone. */
const PLAIN = [200, 201, 202] as const;
type PlainStatus<A> = 200 extends keyof A
  ? 200
  : 201 extends keyof A
    ? 201
    : 202 extends keyof A
      ? 202
      : never;
type Plain<O extends Operation> = Answers<O>[PlainStatus<O['answers']> & keyof Answers<O>];
/** A paged list returns null for a cursor that is not its own. */
type Paged<O extends Operation> =
  O['query'] extends z.ZodObject<infer S> ? ('cursor' extends keyof S ? null : never) : never;

type Handler<O extends Operation> = (call: Call<O>) => Promise<Response | Plain<O> | Paged<O>>;

/** An operation bound to its handler, for `routes`. */
export type Served = {
  operation: Operation;
  /** Answers for our server, which catches what it throws. Leaves no trace of the request for logs: see `withRequestId`. */
  answer: (request: Request, params: Record<string, string>) => Promise<Response>;
  /** Answers for Next. */
  handle: (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
};

/**
 * Binds an operation to its handler. It first authorizes the client, then reads query and body with the operation's
 * own schemas, so the handler has nothing left to check. Refuses what belongs to a side feature that is switched off.
 * @param handler returns the body of the operation's answer (of its lowest status, if it has more than one), or the
 *   result of `answer` or `refuse`; null if a list's cursor is not its own
 */
export const serve = <O extends Operation>(operation: O, handler: Handler<O>): Served =>
  served(operation, async (request, params) => {
    const requester = await identify(request, operation);
    if (!requester.ok) return requester.response;
    const query = operation.query?.safeParse(queryOf(request.url, operation.query));
    if (query && !query.success) return validationProblem(query.error);
    const off = refuseSide(operation, query?.data);
    if (off) return toResponse(off);
    const body = await bodyOf(request, operation);
    if (!body.ok) return body.response;
    const answer = (code: number, data: unknown, headers?: Record<string, string>) =>
      json(data, { status: code, headers });
    const call = {
      request,
      user: requester.user,
      params,
      query: query?.data,
      body: body.data,
      answer,
      refuse: problem,
    };
    const result = await handler(call as unknown as Call<O>)
      .catch((error: unknown) => noteAct(error, requester.user))
      .finally(() => {
        if (operation.method !== 'GET') noteWritten();
      });
    if (result instanceof Response) return result;
    if (result === null) return problem('VALIDATION', { detail: 'cursor: is not a cursor of ours' });
    return answer(PLAIN.find((status) => status in operation.answers) ?? 200, result);
  });

/** Notes what a member of a shop may not do there, and passes it on. */
function noteAct(error: unknown, user: CurrentUser | OrderReader | null): never {
  if (error instanceof NotAllowedError && error.act && user && 'role' in user) noteForbidden(user, error.act);
  throw error;
}

/** Binds an operation to a function that answers requests for it. */
export const served = (
  operation: Operation,
  handler: (request: Request, params: Record<string, string>) => Promise<Response>,
): Served => ({ operation, answer: refusingZeros(handler), handle: route(handler) });

/** Returns the refusal for what belongs to a side feature that is switched off; else null. */
function refuseSide({ side }: Operation, query: Record<string, unknown> = {}) {
  if (!side) return null;
  const isMeant = side.fields?.some((name) => query[name] !== undefined && query[name] !== '') ?? true;
  return isMeant ? refuseOff(side.feature) : null;
}

type Identified = { ok: true; user: CurrentUser | OrderReader | null } | { ok: false; response: Response };

async function identify(request: Request, { who, asksAgain, upload }: Operation): Promise<Identified> {
  if (isPermission(who)) {
    const auth = await authorize(request, who, currentUser, upload !== undefined);
    if (!auth.ok) return { ok: false, response: toResponse(auth.reply) };
    return asksAgain && mustConfirm(auth.user) ? { ok: false, response: problem('CONFIRM_AGAIN') } : auth;
  }
  if (who !== 'sessionOrEntryToken') return { ok: true, user: null };
  const user = await identifyReader(request.headers);
  return user ? { ok: true, user } : { ok: false, response: problem('UNAUTHENTICATED') };
}

/** Leaves out empty values, and filters that are only blanks. A cursor of blanks stays, and is not ours. */
function queryOf(url: string, { shape }: z.ZodObject): Record<string, string | undefined> {
  const { searchParams } = new URL(url);
  const read = (name: string) => {
    const value = searchParams.get(name) ?? '';
    return (name in page.shape ? value : value.trim()) || undefined;
  };
  return Object.fromEntries(Object.keys(shape).map((name) => [name, read(name)]));
}

async function bodyOf(
  request: Request,
  { body, upload, maxBytes = MAX_JSON_BYTES, isBodyOptional }: Operation,
): Promise<{ ok: true; data: unknown } | { ok: false; response: Response }> {
  if (body) return readJson(request, body, { maxBytes, allowEmpty: isBodyOptional === true });
  if (!upload) return { ok: true, data: undefined };
  const data = await readBytes(request, maxBytes);
  return data
    ? { ok: true, data }
    : { ok: false, response: problem('TOO_LARGE', { detail: `at most ${maxBytes} bytes` }) };
}
