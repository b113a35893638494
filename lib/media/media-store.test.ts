import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OutageError } from '@/lib/errors/outage-error';
import { bucketStore } from './bucket-store';
import { fileStore } from './file-store';
import type { MediaStore } from './media-store';
import { type Fault, startBucketServer } from './testing/bucket-server';

let server: Awaited<ReturnType<typeof startBucketServer>>;
const folder = mkdtempSync(join(tmpdir(), 'seckill-media-'));
beforeAll(async () => {
  server = await startBucketServer();
});
afterEach(() => {
  server.faults.length = 0;
  server.asked.length = 0;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const HASH = 'a'.repeat(64);
const [SMALL, LARGE] = [`${HASH}/320.webp`, `${HASH}/1280.avif`];
const bytes = Buffer.from([0, 255, 13, 10, ...Buffer.from('ü')]);

describe.each<[string, () => MediaStore]>([
  ['a folder', () => fileStore(folder)],
  ['a bucket', () => bucketStore(server.bucket)],
])('%s of pictures', (_, storeOf) => {
  it('[O1] gives back what it was given, to every process, and forgets what is removed', async () => {
    const [store, other] = [storeOf(), storeOf()];
    expect([await store.has(SMALL), await store.read(SMALL)]).toEqual([false, null]);
    await store.write(SMALL, bytes);
    await store.write(LARGE, Buffer.alloc(300_000, 7));
    expect([await other.has(SMALL), await other.read(SMALL)]).toEqual([true, bytes]);
    expect((await other.read(LARGE))?.equals(Buffer.alloc(300_000, 7))).toBe(true);
    await store.write(SMALL, bytes);
    await store.remove([SMALL, `${HASH}/640.webp`]);
    expect([await other.has(SMALL), await other.has(LARGE)]).toEqual([false, true]);
    await store.remove([LARGE]);
  });
});

describe('a bucket of pictures', () => {
  const forbidden: Fault = { status: 403, code: 'AccessDenied' };
  const broken: Fault = { status: 500, code: 'InternalError' };

  it('[O1] is asked by signed requests for the names of the files, and by the bucket’s name', async () => {
    const store = bucketStore(server.bucket);
    await store.write(SMALL, bytes);
    await store.has(SMALL);
    await store.read(SMALL);
    await store.remove([SMALL]);
    expect(server.asked).toEqual(
      ['PUT', 'HEAD', 'GET', 'DELETE'].map((each) => `${each} /pictures/${SMALL}`),
    );
    for (const wrong of [{ keyId: 'KEY2' }, { region: 'us-east-1' }])
      await expect(bucketStore({ ...server.bucket, ...wrong }).write(SMALL, bytes)).rejects.toThrow(
        OutageError,
      );
    expect(server.files.size).toBe(0);
  });

  it('[O1] that is missing is a fault, not a missing picture', async () => {
    const store = bucketStore({ ...server.bucket, name: 'elsewhere' });
    await expect(store.read(SMALL)).rejects.toThrow(/NoSuchBucket/);
    await expect(store.write(SMALL, bytes)).rejects.toThrow(OutageError);
  });

  it.each<[string, Fault[]]>([
    ['forbids', [forbidden]],
    ['is broken', [broken, broken, broken]],
  ])('[O1] that %s is an outage, which says why and no secret', async (_, faults) => {
    const store = bucketStore(server.bucket);
    await store.write(SMALL, bytes);
    for (const work of [
      () => store.read(SMALL),
      () => store.write(SMALL, bytes),
      () => store.remove([SMALL]),
    ]) {
      server.faults.push(...faults);
      const fault = await work().then(
        () => null,
        (error: unknown) => error as OutageError,
      );
      expect(fault).toBeInstanceOf(OutageError);
      expect(fault?.message).toMatch(/AccessDenied|InternalError/);
      expect(JSON.stringify([fault, fault?.message])).not.toContain(server.bucket.secret);
      expect(server.faults).toEqual([]);
    }
    expect(await store.read(SMALL)).toEqual(bytes);
  });

  it('[O1] that sends half a file gives none', async () => {
    const store = bucketStore(server.bucket);
    await store.write(SMALL, bytes);
    server.faults.push('half', 'half', 'half');
    await expect(store.read(SMALL)).rejects.toThrow(OutageError);
    server.faults.length = 0;
    expect(await store.read(SMALL)).toEqual(bytes);
  });

  it('[O1] that is broken for a moment is asked again', async () => {
    const store = bucketStore(server.bucket);
    server.faults.push(broken, { status: 503, code: 'SlowDown' });
    await store.write(SMALL, bytes);
    expect(server.files.get(SMALL)).toEqual(bytes);
  });

  it('[O1] that does not answer, or is not there, is an outage within its time', async () => {
    const store = bucketStore(server.bucket, 300);
    for (const work of [() => store.read(SMALL), () => store.has(SMALL), () => store.write(SMALL, bytes)]) {
      server.faults.push('silent', 'silent', 'silent');
      await expect(work()).rejects.toThrow(OutageError);
      server.faults.length = 0;
    }
    const nowhere = bucketStore({ ...server.bucket, endpoint: 'http://127.0.0.1:9' });
    await expect(nowhere.has(SMALL)).rejects.toThrow(OutageError);
  });
});
