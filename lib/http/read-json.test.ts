import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJson, readText } from './read-json';

const schema = z.object({ n: z.number().int() });

function post(body: BodyInit | null, contentType = 'application/json') {
  return new Request('http://shop.test/', { method: 'POST', body, headers: { 'content-type': contentType } });
}

async function refusal(request: Request, options?: Parameters<typeof readJson>[2]) {
  const result = await readJson(request, schema, options);
  if (result.ok) throw new Error('was accepted');
  return { status: result.response.status, ...(await result.response.json()) };
}

describe('readJson', () => {
  it('[L3] gives the data', async () => {
    expect(await readJson(post('{"n":1}'), schema)).toEqual({ ok: true, data: { n: 1 } });
  });

  it('[L3] takes an empty body as {} where that is allowed', async () => {
    const result = await readJson(post(null), z.object({}), { allowEmpty: true });
    expect(result).toEqual({ ok: true, data: {} });
    expect(await refusal(post(null))).toMatchObject({ status: 400, code: 'MALFORMED' });
  });

  it('[L3] tells wrong content type, malformed JSON and wrong fields apart', async () => {
    expect(await refusal(post('n=1', 'application/x-www-form-urlencoded'))).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
    });
    expect(await refusal(post('{"n":'))).toMatchObject({ status: 400, code: 'MALFORMED' });
    expect(await refusal(post('{"n":1.5}'))).toMatchObject({
      status: 422,
      code: 'VALIDATION',
      fields: [{ path: 'n', message: expect.any(String) }],
    });
  });

  it('[L3] refuses text that cannot be stored, wherever it stands', async () => {
    const bodies = {
      '{"n":1,"a":["\\ud800"]}': { path: 'a.0', message: 'has half of a character' },
      '{"n":1,"a":{"b":"x\\udc00x"}}': { path: 'a.b', message: 'has half of a character' },
      '{"n":1,"a":{"\\ude00":1}}': { path: 'a', message: 'has half of a character' },
      '{"n":1,"a":"\\u0000"}': { path: 'a', message: 'has a zero byte' },
      '{"n":1,"a\\u0000":1}': { path: '', message: 'has a zero byte' },
    };
    for (const [body, field] of Object.entries(bodies)) {
      expect(await refusal(post(body))).toMatchObject({ status: 422, code: 'VALIDATION', fields: [field] });
    }
    expect((await readJson(post('{"n":1,"a":"\\ud83d\\ude00 😀"}'), schema)).ok).toBe(true);
  });

  it('[N8] takes names that objects inherit for names like any other', async () => {
    const nasty = '{"n":1,"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}';
    const open = z.object({ n: z.number(), attributes: z.record(z.string(), z.string()).optional() });
    expect(await readJson(post(nasty), open)).toEqual({ ok: true, data: { n: 1 } });
    const inside = await readJson(post('{"n":1,"attributes":{"__proto__":"x","constructor":"y"}}'), open);
    expect(inside.ok && Object.getPrototypeOf(inside.data.attributes)).toBe(Object.prototype);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('[L3] stops reading a body that is too large, announced or not', async () => {
    expect(await refusal(post('x'.repeat(17 * 1024)))).toMatchObject({ status: 413, code: 'TOO_LARGE' });
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const request = new Request('http://shop.test/', {
      method: 'POST',
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(await readText(request, 4096)).toBeNull();
    expect(pulled).toBeLessThan(10);
  });
});
