import type { z } from 'zod';
import { findUnstorable } from './find-unstorable';
import { isJsonType } from './is-json-type';
import { problem, problemReply } from './problem';
import { type Reply, toResponse } from './reply';

/** The largest body of most operations. */
export const MAX_JSON_BYTES = 16 * 1024;

type Options = {
  /** Largest body accepted, in bytes; default 16 KiB. */
  maxBytes?: number;
  /** An empty body counts as `{}`. */
  allowEmpty?: boolean;
};

type FieldProblem = { path: string; message: string };

/**
 * Reads and validates a JSON body.
 * @returns the data, or the refusal to answer with: 413 TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 400 MALFORMED, 422 VALIDATION.
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
  options: Options = {},
): Promise<{ ok: true; data: z.output<T> } | { ok: false; response: Response }> {
  const text = await readText(request, options.maxBytes ?? MAX_JSON_BYTES);
  if (text === null) return { ok: false, response: problem('TOO_LARGE') };
  const body = parseJson(text, request.headers.get('content-type'), schema, options);
  return body.ok ? body : { ok: false, response: toResponse(body.reply) };
}

/**
 * Validates a JSON body that has been read.
 * @returns the data, or the refusal to answer with: 415 UNSUPPORTED_MEDIA_TYPE, 400 MALFORMED, 422 VALIDATION.
 */
export function parseJson<T extends z.ZodType>(
  text: string,
  contentType: string | null,
  schema: T,
  { allowEmpty }: Pick<Options, 'allowEmpty'> = {},
): { ok: true; data: z.output<T> } | { ok: false; reply: Reply } {
  let body: unknown = {};
  if (text !== '' || !allowEmpty) {
    if (!isJsonType(contentType ?? '')) return { ok: false, reply: problemReply('UNSUPPORTED_MEDIA_TYPE') };
    try {
      body = JSON.parse(text);
    } catch {
      return { ok: false, reply: problemReply('MALFORMED', { detail: 'The body is not JSON.' }) };
    }
  }
  const unstorable = findUnstorable(body);
  if (unstorable) return { ok: false, reply: fieldsReply([unstorable]) };
  const result = schema.safeParse(body);
  return result.success
    ? { ok: true, data: result.data }
    : { ok: false, reply: validationReply(result.error) };
}

/** Builds 422 VALIDATION with one entry per wrong field. */
export const validationProblem = (error: z.ZodError): Response => toResponse(validationReply(error));

/** Builds the same as a reply record. */
export const validationReply = (error: z.ZodError): Reply =>
  fieldsReply(
    error.issues.slice(0, 50).map((issue) => ({ path: issue.path.join('.'), message: issue.message })),
  );

/** Builds 422 VALIDATION for these fields. */
export const fieldsProblem = (fields: FieldProblem[]): Response => toResponse(fieldsReply(fields));

/** Builds the same as a reply record. */
export const fieldsReply = (fields: FieldProblem[]): Reply =>
  problemReply('VALIDATION', {
    detail: fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '),
    extra: { fields },
  });

/** Reads the body as text, or null when it is larger than `maxBytes`; stops reading there. */
export const readText = async (request: Request, maxBytes: number): Promise<string | null> =>
  (await readBytes(request, maxBytes))?.toString('utf8') ?? null;

/** Reads the body, or null when it is larger than `maxBytes`; stops reading there. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null;
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}
