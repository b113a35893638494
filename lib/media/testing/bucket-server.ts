import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Bucket } from '@/lib/media/bucket-store';

/** A fault of the server in answering one request: a status with S3's code, half a body, or no answer. */
export type Fault = { status: number; code: string } | 'half' | 'silent';

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=[0-9a-f]{64}$/;

/** For tests: a server on this machine that keeps one bucket as S3 does, with addresses that name it in their path. */
export async function startBucketServer() {
  const files = new Map<string, Buffer>();
  const faults: Fault[] = [];
  const asked: string[] = [];
  const bucket: Bucket = {
    name: 'pictures',
    region: 'eu-central-1',
    endpoint: '',
    keyId: 'KEY1',
    secret: 'a-secret-of-the-bucket',
    isPathStyle: true,
  };
  const refuse = (response: ServerResponse, status: number, code: string) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>Test</Message></Error>`);

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://bucket').pathname);
    asked.push(`${request.method} ${path}`);
    const fault = faults.shift();
    if (fault === 'silent') return;
    if (fault === 'half') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      return response.destroy();
    }
    if (fault) return refuse(response, fault.status, fault.code);
    const [, keyId, region, headers = ''] = SIGNED.exec(String(request.headers.authorization)) ?? [];
    const hash = createHash('sha256').update(body).digest('hex');
    const isSigned =
      region === bucket.region &&
      ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => headers.split(';').includes(name)) &&
      request.headers['x-amz-content-sha256'] === hash;
    if (keyId !== bucket.keyId) return refuse(response, 403, 'InvalidAccessKeyId');
    if (!isSigned) return refuse(response, 403, 'SignatureDoesNotMatch');
    const [, name, ...rest] = path.split('/');
    if (name !== bucket.name) return refuse(response, 404, 'NoSuchBucket');
    const key = rest.join('/');
    if (request.method === 'PUT') {
      files.set(key, body);
      return response.writeHead(200, { etag: '"1"' }).end();
    }
    if (request.method === 'DELETE') {
      files.delete(key);
      return response.writeHead(204).end();
    }
    const file = files.get(key);
    if (!file) return refuse(response, 404, 'NoSuchKey');
    return response.writeHead(200, { 'content-length': file.length }).end(file);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bucket.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    bucket,
    files,
    /** The faults of the next requests, in order. */
    faults,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the settings that choose such a bucket. */
export const bucketEnv = ({ name, region, endpoint = '', keyId, secret }: Bucket) => ({
  MEDIA_BUCKET: name,
  MEDIA_BUCKET_REGION: region,
  MEDIA_BUCKET_KEY_ID: keyId,
  MEDIA_BUCKET_SECRET: secret,
  MEDIA_BUCKET_ENDPOINT: endpoint,
  MEDIA_BUCKET_PATH_STYLE: '1',
});
