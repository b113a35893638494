import { z } from 'zod';
import { AREAS, idOf } from '@/lib/contract/areas';
import type { Credential, Operation } from '@/lib/contract/operation';
import { isPermission, refusalsOf } from '@/lib/contract/refusals-of';
import { may, ROLES, type Role } from '@/lib/contract/words/roles';
import { ERROR_CODES, type ErrorCode } from '@/lib/errors/codes';
import { groupBy } from '@/lib/outbox/group-by';
import { version } from '@/package.json';
import { type Components, type Schema, toSchema } from './to-schema';

type Media = Record<string, { schema: Schema }>;
export type Answer = { description: string; content: Media };
type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
};

/** An operation in OpenAPI's shape. */
export type DocumentedOperation = {
  operationId: string;
  tags: string[];
  description: string;
  security: Record<string, never[]>[];
  /** The roles that may call it, where it needs a session. */
  'x-roles'?: Role[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Media };
  responses: Record<string, Answer>;
};

type Document = ReturnType<typeof makeDocument>;

const SCHEMES: Record<Credential | 'session', Record<string, never[]>[]> = {
  nothing: [],
  session: [{ session: [] }],
  entryToken: [{ entryToken: [] }],
  sessionOrEntryToken: [{ session: [] }, { entryToken: [] }],
  signature: [{ webhookId: [], webhookTimestamp: [], webhookSignature: [] }],
};

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'next-auth.session-token',
    description:
      "Set by signing in (`__Host-next-auth.session-token` over https). Requests that change something must also come from the shop's own pages: with its `Origin`, or `Sec-Fetch-Site: same-origin`.",
  },
  entryToken: inHeader('X-Entry-Token', 'From `enter`.'),
  webhookId: inHeader('webhook-id', 'The same whenever the callback is sent again.'),
  webhookTimestamp: inHeader('webhook-timestamp', 'Seconds since 1970.'),
  webhookSignature: inHeader('webhook-signature', '`v1,` and the HMAC-SHA256 of `{id}.{timestamp}.{body}`.'),
};

const ABOUT = [
  'JSON in and out. Times are epoch milliseconds, money is integer minor units with an ISO 4217 currency, ids are opaque strings.',
  'Refusals are `application/problem+json` (RFC 9457) whose `code` is stable; 429 and 503 carry `Retry-After`.',
  'Lists are paged: pass `nextCursor` on as `cursor` until it is null.',
].join(' ');

const problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string(),
    requestId: z.string(),
    retryAfterMs: z.number().optional(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'A refusal; some codes bring further members.' });

/** Builds the OpenAPI 3.1 document of the whole interface, from the same schemas that validate requests. */
export const apiDocument = (): Document => {
  made ??= makeDocument();
  return made;
};
let made: Document | undefined;

export type ListedOperation = { path: string; method: string; operation: DocumentedOperation };

/** Lists the document's operations one by one. */
export const listOperations = (): ListedOperation[] =>
  Object.entries(apiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

function makeDocument() {
  const schemas: Components = {};
  toSchema(problem, 'output', schemas);
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const { name, operations } of AREAS) {
    for (const operation of operations) {
      paths[operation.path] ??= {};
      Object.assign(paths[operation.path] ?? {}, {
        [operation.method.toLowerCase()]: describeOperation(operation, name, schemas),
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Seckill', version, description: ABOUT, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    tags: AREAS.map(({ name, says }) => ({ name, description: says })),
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

function describeOperation(operation: Operation, area: string, schemas: Components): DocumentedOperation {
  const { path, who, says, body, upload, isBodyOptional = false, answers } = operation;
  const roles = isPermission(who) ? ROLES.filter((role) => may(role, who)) : undefined;
  const responses: Record<string, Answer> = {};
  for (const [status, answer] of Object.entries(answers)) {
    responses[status] =
      'mediaType' in answer
        ? { description: answer.says, content: { [answer.mediaType]: { schema: { type: 'string' } } } }
        : { description: 'Done.', content: json(toSchema(answer, 'output', schemas)) };
  }
  return {
    operationId: idOf(operation),
    tags: [area],
    description: says,
    security: SCHEMES[isPermission(who) ? 'session' : who],
    ...(roles && { 'x-roles': roles }),
    parameters: [...pathParameters(path), ...queryParameters(operation, schemas)],
    ...(body && {
      requestBody: { required: !isBodyOptional, content: json(toSchema(body, 'input', schemas)) },
    }),
    ...(upload && { requestBody: { required: true, content: filesOf(upload) } }),
    responses: { ...responses, ...refusals(refusalsOf(operation)) },
  };
}

const json = (schema: Schema): Media => ({ 'application/json': { schema } });

const filesOf = (mediaTypes: readonly string[]): Media =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters({ query }: Operation, schemas: Components): Parameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query, 'input', schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as Schema;
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

/** Makes one answer per status, which lists the codes that status may carry. */
function refusals(codes: readonly ErrorCode[]): Record<string, Answer> {
  const byStatus = groupBy(codes, (code) => ERROR_CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(' '),
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { properties: { code: { enum: [...list] } }, required: ['code'] },
              ],
            },
          },
        },
      },
    ]),
  );
}
