/**
 * The yardstick for entries: node:http, the session's cookie verified, the entry token signed. It asks no database
 * whether the session still stands, and checks nothing else.
 */
import { hkdfSync } from 'node:crypto';
import { createServer } from 'node:http';
import { jwtDecrypt } from 'jose';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { answerParent } from '@/tools/harness/asked-process';
import { listen } from './listen';

const LIFE_MS = 3_600_000;

answerParent(({ secret, cookieName, saleId }: { secret: string; cookieName: string; saleId: string }) => {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'NextAuth.js Generated Encryption Key', 32));
  const server = createServer((request, response) => {
    const cookie = request.headers.cookie ?? '';
    const answer = (status: number, body: string) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    };
    jwtDecrypt(cookie.slice(cookieName.length + 1), key).then(
      ({ payload }) => {
        const expiresAt = Date.now() + LIFE_MS;
        const { sub: userId = '', sid } = payload;
        const claims = { userId, saleId, level: 1, jti: newId('jti'), expiresAt, device: '' };
        const entryToken = signEntryToken({ ...claims, session: String(sid) });
        answer(200, JSON.stringify({ entryToken, expiresAt }));
      },
      () => answer(401, '{}'),
    );
  });
  return listen(server);
});
