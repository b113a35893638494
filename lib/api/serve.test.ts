import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation } from '@/lib/contract/operation';
import { page } from '@/lib/contract/shapes/common';
import { routes } from './routes';
import { serve } from './serve';

const listThings = operation('GET /api/things/{kind}', {
  who: 'nothing',
  says: 'Things of a kind.',
  query: page.extend({ q: z.string().max(5).optional(), state: z.enum(['old', 'new']).default('new') }),
  answers: { 200: z.object({ asked: z.unknown() }) },
  errors: ['NOT_FOUND'],
});

const makeThing = operation('POST /api/things/{kind}', {
  who: 'nothing',
  says: 'Makes a thing.',
  body: z.strictObject({ name: z.string().min(1) }),
  answers: { 201: z.object({ made: z.string() }), 202: z.object({ waits: z.literal(true) }) },
});

const { GET, HEAD, POST, PUT } = routes(
  serve(listThings, async ({ params, query, refuse }) => {
    if (params.kind === 'none') return refuse('NOT_FOUND');
    return query.cursor === 'foreign' ? null : { asked: { ...query, kind: params.kind } };
  }),
  serve(makeThing, async ({ body, answer }) =>
    body.name === 'later' ? answer(202, { waits: true }, { 'x-waits': '1' }) : { made: body.name },
  ),
);

const at = (kind: string) => ({ params: Promise.resolve({ kind }) });
const get = (query: string, kind = 'red') =>
  GET(new Request(`http://shop.test/api/things/red?${query}`), at(kind));
const post = (body: string, type = 'application/json') =>
  POST(
    new Request('http://shop.test/api/things/red', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    }),
    at('red'),
  );
const asked = async (query: string) => ((await (await get(query)).json()) as { asked: unknown }).asked;

describe('[L3] an operation that is served', () => {
  it('gets its parameters and what is asked for, with the usual values', async () => {
    expect(await asked('limit=7&q=abc')).toEqual({ kind: 'red', limit: 7, q: 'abc', state: 'new' });
    expect(await asked('')).toEqual({ kind: 'red', limit: 20, state: 'new' });
  });

  it('of a name that comes twice is the first taken, and no name that it has not', async () => {
    expect(await asked('q=one&q=two&Q=three&other=x')).toMatchObject({ q: 'one' });
    expect(await asked('other=x&__proto__=y')).toEqual({ kind: 'red', limit: 20, state: 'new' });
  });

  it('takes a filter of blanks for none, and a cursor of blanks for nonsense', async () => {
    expect(await asked('q=%20%20&state=')).toEqual({ kind: 'red', limit: 20, state: 'new' });
    expect((await get('cursor=%20')).status).toBe(422);
  });

  it('names all that is wrong with the query at once', async () => {
    const answer = await get('limit=0&q=toolong&state=odd');
    expect(answer.status).toBe(422);
    const { code, fields } = (await answer.json()) as { code: string; fields: { path: string }[] };
    expect(code).toBe('VALIDATION');
    expect(fields.map(({ path }) => path).sort()).toEqual(['limit', 'q', 'state']);
  });

  it('refuses what its handler refuses, and a cursor that is none of its own', async () => {
    expect((await get('', 'none')).status).toBe(404);
    expect((await get('cursor=foreign')).status).toBe(422);
  });

  it('answers with the lowest status it names unless told otherwise', async () => {
    const made = await post('{"name":"lamp"}');
    expect([made.status, await made.json()]).toEqual([201, { made: 'lamp' }]);
    const later = await post('{"name":"later"}');
    expect([later.status, later.headers.get('x-waits'), await later.json()]).toEqual([
      202,
      '1',
      { waits: true },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a name that is none', '{"name":7}'],
    ['more than is asked', '{"name":"x","role":"admin"}'],
  ])('refuses a body of %s before its handler sees it', async (_, body) => {
    expect([400, 422]).toContain((await post(body)).status);
  });

  it('refuses a body that does not say it is JSON', async () => {
    expect((await post('{"name":"lamp"}', 'text/plain')).status).toBe(415);
  });

  it('answers HEAD as GET, and other methods with those it has', async () => {
    expect(
      (await HEAD(new Request('http://shop.test/api/things/red', { method: 'HEAD' }), at('red'))).status,
    ).toBe(200);
    const refused = await PUT(new Request('http://shop.test/api/things/red', { method: 'PUT' }), at('red'));
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});
