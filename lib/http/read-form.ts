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
      /** A page's own form sent it, without script: the answer leads the browser to a page. */
      isPage: boolean;
      /** A form of any site could have sent it, because the browser would not ask us first. */
      isForm: boolean;
    }
  | {
      ok: false;
      response: Response;
      isPage: boolean;
      isForm: boolean;
      /** The fields that were sent, as far as they could be read. */
      given: Record<string, unknown>;
    };

/**
 * Reads and validates a body: JSON from a page's script, or a form from a page without script. A client that sends a
 * form and wants JSON adds `json=true`. If a field comes twice, the last one counts.
 * @param schema strings only: a form has no others; fields it doesn't name are left out
 * @param isStored false: nothing is stored, so the caller judges strings that Postgres can't hold
 * @returns the data, or the refusal to answer with: 413 TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 400 MALFORMED, 422
 *   VALIDATION.
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

/** Parses JSON; undefined if the text is not JSON, because no JSON text means undefined. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
