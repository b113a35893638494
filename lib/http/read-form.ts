import type { z } from 'zod';
import { findUnstorable } from './find-unstorable';
import { isJsonType } from './is-json-type';
import { problem } from './problem';
import { fieldsProblem, readText, validationProblem } from './read-json';

const MAX_BYTES = 16 * 1024;
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

type FormResult<T> =
  | {
      ok: true;
      data: T;
      /** Sent by a page's own form, without script: the answer is a page to be led to. */
      isPage: boolean;
      /** Sent as any site's form could be, without the browser asking us first. */
      isForm: boolean;
    }
  | {
      ok: false;
      response: Response;
      isPage: boolean;
      isForm: boolean;
      /** What was sent, as far as it could be read. */
      given: Record<string, unknown>;
    };

/**
 * Reads and validates a body that a page's script sends as JSON, or a form of a page without script as a form does. A client
 * that sends a form and wants JSON says so: `json=true`. Of fields sent twice the last one counts.
 * @param schema strings only: a form has no others; fields it doesn't name are left out
 * @param isStored false: nothing of it is, so that strings Postgres can't hold are the caller's to judge
 * @returns the data, or the refusal to answer with: 413 TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 400 MALFORMED, 422 VALIDATION.
 */
export async function readForm<T extends z.ZodType>(
  request: Request,
  schema: T,
  isStored = true,
): Promise<FormResult<z.output<T>>> {
  const type = request.headers.get('content-type') ?? '';
  const isForm = FORM.test(type);
  const refuse = (response: Response, isPage = isForm, given: Record<string, unknown> = {}) => ({
    ok: false as const,
    response,
    isPage,
    isForm,
    given,
  });
  if (!isForm && !isJsonType(type)) return refuse(problem('UNSUPPORTED_MEDIA_TYPE'));
  const text = await readText(request, MAX_BYTES);
  if (text === null) return refuse(problem('TOO_LARGE'));
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : parse(text);
  if (body === undefined) return refuse(problem('MALFORMED', { detail: 'The body is not JSON.' }));
  const given = (body ?? {}) as Record<string, unknown>;
  const isPage = isForm && given.json !== 'true';
  const unstorable = isStored ? findUnstorable(body) : null;
  if (unstorable) return refuse(fieldsProblem([unstorable]), isPage, given);
  const result = schema.safeParse(body);
  return result.success
    ? { ok: true, data: result.data, isPage, isForm }
    : refuse(validationProblem(result.error), isPage, given);
}

/** Undefined if it is no JSON: no JSON is that. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
