import 'server-only';
import type { S3Client } from '@aws-sdk/client-s3';
import { OutageError } from '@/lib/errors/outage-error';
import { within } from '@/lib/errors/within';
import { limitMs } from '@/lib/time-limits';
import type { MediaStore } from './media-store';

export type Bucket = {
  name: string;
  region: string;
  /** Undefined: Amazon's own, by the region. */
  endpoint: string | undefined;
  keyId: string;
  secret: string;
  /** The bucket stands in the path of addresses, not in their host. */
  isPathStyle: boolean;
};

/** Hundreds of files, which only a shop with a bucket loads. */
const library = () => import('@aws-sdk/client-s3');
type Library = Awaited<ReturnType<typeof library>>;

/**
 * Keeps the files of pictures in a bucket of any server that speaks S3. Nobody else need reach the bucket.
 * @param withinMs for each file, with the library's own tries
 */
export function bucketStore(bucket: Bucket, withinMs = limitMs('mediaBucket')): MediaStore {
  let client: S3Client | undefined;
  /** Does one request. @returns `missing` if there is no such file */
  const ask = async <T, M>(
    work: (sdk: Library, client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    missing: M,
  ): Promise<T | M> => {
    const abort = new AbortController();
    const sdk = await library();
    client ??= connect(sdk, bucket);
    try {
      return await within(
        withinMs,
        'the bucket of pictures',
        work(sdk, client, { abortSignal: abort.signal }),
      );
    } catch (cause) {
      if (isMissing(cause)) return missing;
      // Ends a request that outlived its time.
      abort.abort();
      const { name, message } = cause as Error;
      throw new OutageError(`the bucket of pictures: ${name}: ${message}`, { cause });
    }
  };
  const at = (name: string) => ({ Bucket: bucket.name, Key: name });
  return {
    write: (name, bytes) =>
      ask(async (sdk, s3, options) => {
        await s3.send(new sdk.PutObjectCommand({ ...at(name), Body: bytes }), options);
      }, undefined),
    read: (name) =>
      ask(async (sdk, s3, options) => {
        const { Body } = await s3.send(new sdk.GetObjectCommand(at(name)), options);
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
      }, null),
    has: (name) =>
      ask(async (sdk, s3, options) => {
        await s3.send(new sdk.HeadObjectCommand(at(name)), options);
        return true;
      }, false),
    remove: async (names) => {
      const gone = names.map((name) =>
        ask(async (sdk, s3, options) => {
          await s3.send(new sdk.DeleteObjectCommand(at(name)), options);
        }, undefined),
      );
      await Promise.all(gone);
    },
  };
}

const connect = ({ S3Client }: Library, { region, endpoint, keyId, secret, isPathStyle }: Bucket): S3Client =>
  new S3Client({
    region,
    endpoint,
    forcePathStyle: isPathStyle,
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    // Other servers than Amazon's don't know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** A `HEAD` has no body, so its answer has no code. A bucket that is missing is another fault. */
const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes((error as Error).name);
