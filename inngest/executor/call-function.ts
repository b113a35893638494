import { z } from 'zod';
import { cutText } from '@/lib/human-text';
import { canonical } from './canonical';
import { type PostReply, post } from './post';
import { readRetryAfterMs } from './retry-delay';
import { isSignedBy, sign } from './sign';
import { CONTINUE, type Executor, type RunState, type WorkItem } from './types';

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

// The fields of an op that the executor uses. The SDK adds internals of its own to every op; the schema ignores them.
const opSchema = z.object({
  id: z.string().min(1).max(200),
  op: z.string(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  opts: z.object({ parallelMode: z.string().optional() }).nullish(),
  data: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** One step operation of the app's answer. */
export type Op = z.infer<typeof opSchema>;

/** The result of one call. `protocolVersion` is the protocol version that the SDK wants from now on. */
export type Answer =
  | { status: 'completed'; result: unknown }
  | { status: 'steps'; ops: Op[]; protocolVersion: number; readRetryAfterMs: number | undefined }
  | { status: 'failed'; error: unknown }
  | { status: 'retry'; error: unknown; readRetryAfterMs: number | undefined }
  /** No app was listening, so no function ran. */
  | { status: 'unreachable'; error: unknown };

const problem = (message: string) => ({ name: 'ExecutorError', message });

/**
 * Builds the body of a call, in canonical form. It joins parts that are canonical already: canonicalizing an event of
 * 100 orders again for every step took a quarter of the executor's work.
 */
function requestBody(run: RunState, item: WorkItem): string {
  const stack = run.memos.map(([stepId]) => stepId);
  // No `fn_id`: with it the SDK would report its steps to an API of its own, which the executor does not serve.
  const ctx = canonical({
    run_id: run.runId,
    env: '',
    attempt: item.attempt,
    max_attempts: run.maxAttempts,
    stack: { stack, current: Math.max(0, stack.length - 1) },
    disable_immediate_execution: item.stepId !== CONTINUE,
    use_api: false,
  });
  const { eventText, memos, protocolVersion } = run;
  const steps = canonical(Object.fromEntries(memos));
  return `{"ctx":${ctx},"event":${eventText},"events":[${eventText}],"steps":${steps},"use_api":false,"version":${protocolVersion}}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readAnswer({ status, header, text }: PostReply, executor: Executor, run: RunState): Answer {
  const { signingKey, clock } = executor.config;
  const isOk = status >= 200 && status < 300;
  const after = readRetryAfterMs(header('retry-after'), clock());
  const retry = (error: unknown): Answer => ({ status: 'retry', error, readRetryAfterMs: after });

  const body = parse(text);
  const isFinal = header('x-inngest-no-retry') === 'true';
  // Any server may answer 500, and the call is repeated. Only an answer that moves the run on must be proven to come
  // from our app.
  if (!isOk && !isFinal) return retry(body ?? problem(`The app answered ${status}: ${cutText(text, 500)}`));
  if (!isSignedBy(header('x-inngest-signature'), text, signingKey)) {
    return retry(problem(`The app's answer (${status}) is not signed with the shared signing key.`));
  }
  if (!isOk) return { status: 'failed', error: body ?? problem(`The app answered ${status}.`) };
  if (status === 200) return { status: 'completed', result: body ?? null };

  const ops = z.array(opSchema).min(1).max(1000).safeParse(body);
  if (status !== 206 || !ops.success) {
    const reason = ops.error ? z.prettifyError(ops.error) : '';
    return retry(problem(`The app's answer (${status}) is not understood. ${reason}`.trim()));
  }
  const protocolVersion = Number(header('x-inngest-req-version') ?? run.protocolVersion);
  return { status: 'steps', ops: ops.data, protocolVersion, readRetryAfterMs: after };
}

/** Calls the app once for a run. Never throws: a failure on the way becomes an answer too. */
export async function callFunction(executor: Executor, run: RunState, item: WorkItem): Promise<Answer> {
  const { signingKey, callTimeoutMs: timeoutMs, staleMs } = executor.config;
  const url = new URL(run.url);
  url.searchParams.set('stepId', item.stepId);
  const body = requestBody(run, item);
  const headers = {
    'content-type': 'application/json',
    'x-inngest-signature': sign(body, signingKey),
    'x-inngest-server-kind': 'cloud',
    'x-run-id': run.runId,
  };
  try {
    return readAnswer(
      await post({ url, body, headers, timeoutMs, maxBytes: MAX_ANSWER_BYTES, staleMs }),
      executor,
      run,
    );
  } catch (error) {
    const failure = problem(
      `The call to the app failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    return isRefused
      ? { status: 'unreachable', error: failure }
      : { status: 'retry', error: failure, readRetryAfterMs: undefined };
  }
}
