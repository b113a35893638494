import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const app = join(import.meta.dirname, '..');
const routes = readdirSync(app, { recursive: true, encoding: 'utf8' })
  // Prerendered, and answered from memory; the other answers any method the same.
  .filter((file) => file.endsWith('route.ts') && !/^livez|\[\[\.\.\.rest\]\]/.test(file))
  .sort();

type Handlers = Record<string, ((request: Request, context: unknown) => Promise<Response>) | undefined>;

describe('every interface', () => {
  it('[L3] is found', () => {
    expect(routes.length).toBeGreaterThan(20);
  });

  it.each(routes)('[L3] %s refuses the methods it does not serve with 405 and Allow', async (file) => {
    const handlers = (await import(join(app, file))) as Handlers;
    const options = await handlers.OPTIONS?.(new Request('http://shop.test/'), {});
    expect(options?.status).toBe(204);
    const allow = options?.headers.get('allow') ?? '';
    const served = allow.split(', ');
    expect(served.length).toBeGreaterThan(1);
    expect(served.includes('HEAD')).toBe(served.includes('GET'));
    for (const method of METHODS) {
      // Next makes HEAD of GET where a route has none of its own.
      if (method === 'HEAD' && served.includes('GET')) continue;
      expect(handlers[method], method).toBeTypeOf('function');
      if (served.includes(method)) continue;
      const answer = await handlers[method]?.(new Request('http://shop.test/'), {});
      expect(answer?.status, method).toBe(405);
      expect(answer?.headers.get('allow')).toBe(allow);
      expect(await answer?.json()).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    }
  });
});
