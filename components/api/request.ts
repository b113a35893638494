import type { AnswerOf, BodyOf, Endpoint, OperationAt, ParamOf, QueryOf } from '@/lib/contract/types';
import { type Answer, fetchAnswer } from './fetch-json';

type Given = string | number | boolean | null | undefined;

type Settings = {
  /** Another name of the shop; see `fetchAnswer`. */
  origin?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  cache?: RequestCache;
  /** Gives up after this many ms. */
  timeoutMs?: number;
};

type Parameters<E extends Endpoint> = (ParamOf<OperationAt<E>['path']> extends never
  ? { params?: undefined }
  : { params: Record<ParamOf<OperationAt<E>['path']>, string> }) &
  (QueryOf<OperationAt<E>> extends never
    ? { query?: undefined }
    : { query?: Partial<Record<QueryOf<OperationAt<E>>, Given>> }) &
  (undefined extends BodyOf<OperationAt<E>>
    ? { body?: BodyOf<OperationAt<E>> }
    : { body: BodyOf<OperationAt<E>> });

/** The answer of an endpoint. */
export type AnswerAt<E extends Endpoint> = AnswerOf<OperationAt<E>>;
export type Options<E extends Endpoint> = Settings & Parameters<E>;
export type Arguments<E extends Endpoint> =
  Record<never, never> extends Parameters<E> ? [options?: Options<E>] : [options: Options<E>];

/** Returns the address of an endpoint with its path parameters and the query values that are given. */
export function addressOf(
  endpoint: Endpoint,
  { params = {}, query = {} }: { params?: Record<string, string>; query?: Record<string, Given> } = {},
): string {
  const path = endpoint
    .slice(endpoint.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_: string, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/**
 * Calls one endpoint of our own server, named and typed by the contract. Sends changes as JSON. Never takes answers
 * from a cache unless `cache` says so.
 * @throws ApiProblem, see `fetchAnswer`
 */
export function request<E extends Endpoint>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerAt<E>> {
  return ask<AnswerAt<E>>(endpoint, options).then(({ data }) => data);
}

/** Does the same as `request` with options that were made elsewhere, as one value. */
export function requestWith<E extends Endpoint>(endpoint: E, options: Options<E>): Promise<AnswerAt<E>> {
  return ask<AnswerAt<E>>(endpoint, options).then(({ data }) => data);
}

/** Does the same as `request`, and returns the answer's headers too. */
export function requestAnswer<E extends Endpoint>(
  endpoint: E,
  ...[options]: Arguments<E>
): Promise<Answer<AnswerAt<E>>> {
  return ask(endpoint, options);
}

type AnyParameters = { params?: Record<string, string>; query?: Record<string, Given>; body?: unknown };

function ask<T>(endpoint: Endpoint, options: Settings & AnyParameters = {}): Promise<Answer<T>> {
  const { params, query, body, cache = 'no-store', ...settings } = options;
  const [method] = endpoint.split(' ') as ['GET' | 'POST' | 'PATCH' | 'DELETE'];
  const send = () =>
    fetchAnswer<T>(addressOf(endpoint, { params, query }), { ...settings, method, body, cache });
  return send().catch(async (error: unknown) => {
    if (!(await remedy?.(error))) throw error;
    return send();
  });
}

/** Does what a refusal asks for. @returns whether the request is sent once more */
type Remedy = (error: unknown) => Promise<boolean>;

let remedy: Remedy | null = null;

/** Sets what is done about refusals. @returns a function that takes it back */
export function remedyRefusals(next: Remedy): () => void {
  remedy = next;
  return () => {
    if (remedy === next) remedy = null;
  };
}
