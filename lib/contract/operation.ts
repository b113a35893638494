import type { z } from 'zod';
import type { Permission } from '@/lib/contract/words/roles';
import type { SideFeature } from '@/lib/contract/words/side-feature';
import type { ErrorCode } from '@/lib/errors/codes';

/** A credential that an interface asks for besides, or instead of, a session with a permission. */
export type Credential = 'nothing' | 'entryToken' | 'sessionOrEntryToken' | 'signature';

/** An answer that is not JSON. */
type OtherMedia = { mediaType: string; says: string };

/**
 * One operation of the HTTP interface, as `/api/openapi.json` and `/docs/api` show it. Refusals that follow from its
 * other fields are not listed: a permission brings 401, 403 and CSRF, a body brings 400, 413, 415 and 422, a query
 * 422 (`refusals-of.ts`).
 */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/api/orders/{orderNo}`; the names are those of the folders of `app/api`. */
  path: string;
  /** The permission that the route's `authorize` asks for, or another credential. */
  who: Permission | Credential;
  /** One sentence; more only if the schema can't express a rule. */
  says: string;
  query?: z.ZodObject;
  /** The schema that the route parses with. */
  body?: z.ZodType;
  /** Instead of JSON the body is a file, usually of one of these media types. */
  upload?: readonly string[];
  /** The body may be left out. */
  isBodyOptional?: true;
  /** The successful answers, by status. */
  answers: Record<number, z.ZodType | OtherMedia>;
  /** Refusals that only this operation has. */
  errors?: readonly ErrorCode[];
  /**
   * The side feature that it belongs to: while that is switched off, the answer is 503 SWITCHED_OFF. With `fields`, only
   * if one of these is in the query.
   */
  side?: { feature: SideFeature; fields?: readonly string[] };
  /**
   * Dangerous: staff who showed who they are too long ago are refused with 403 CONFIRM_AGAIN (`confirmAgain`). Only
   * `serve` checks it.
   */
  asksAgain?: true;
  /** The largest body that is read, in bytes; 16 KiB if left out. */
  maxBytes?: number;
};

/** Operations that belong together, in the order in which the page shows them: a chapter of it. */
export type Area = { name: string; says: string; operations: readonly Operation[] };

type Endpoint = `${Operation['method']} /${string}`;
type AtEndpoint<E extends Endpoint> = E extends `${infer M extends Operation['method']} ${infer P}`
  ? { method: M; path: P }
  : never;

/**
 * Declares an operation. Keeps the literal types, from which the types of servers and clients are made. The constant
 * that holds it is its `operationId`: generated clients use that as a function's name, so it must never change.
 * @param endpoint method and path, as clients name the operation: `GET /api/orders/{orderNo}`
 */
export function operation<const E extends Endpoint, const O extends Omit<Operation, 'method' | 'path'>>(
  endpoint: E,
  made: O,
): AtEndpoint<E> & O {
  const [method, path] = endpoint.split(' ');
  return { method, path, ...made } as AtEndpoint<E> & O;
}

/** Begins an area. What its `operation` declares belongs to it, in that order. */
export function area(name: string, says: string): Area & { operation: typeof operation } {
  const operations: Operation[] = [];
  const declare: typeof operation = (endpoint, made) => {
    const one = operation(endpoint, made);
    operations.push(one as unknown as Operation);
    return one;
  };
  return { name, says, operations, operation: declare };
}
