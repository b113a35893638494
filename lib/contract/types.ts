import type { z } from 'zod';
import type { Operation } from './operation';
import type * as operations from './operations';

type Named = (typeof operations)[keyof typeof operations];

/** Every operation of the contract. */
type AnyOperation = Extract<Named, Operation>;

/** `GET /api/orders/{orderNo}`: how a client names an operation. */
export type Endpoint = EndpointOf<AnyOperation>;
type EndpointOf<O extends Operation> = O extends Operation ? `${O['method']} ${O['path']}` : never;

/** The operation behind an endpoint. */
export type OperationAt<E extends Endpoint, O extends AnyOperation = AnyOperation> = O extends Operation
  ? E extends `${O['method']} ${O['path']}`
    ? O
    : never
  : never;

/** The names in a path: `orderNo` in `/api/orders/{orderNo}`. */
export type ParamOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never;

/** The successful answers of an operation, by status; what is not JSON is a file. */
export type Answers<O extends Operation> = {
  [S in keyof O['answers']]: O['answers'][S] extends z.ZodType ? z.output<O['answers'][S]> : Blob;
};

/** Any of these answers. */
export type AnswerOf<O extends Operation> = Answers<O>[keyof Answers<O>];

/** The body as a client sends it; undefined if it may be left out. */
export type BodyOf<O extends Operation> = O['body'] extends z.ZodType
  ? z.input<O['body']> | (O['isBodyOptional'] extends true ? undefined : never)
  : O['upload'] extends readonly string[]
    ? Blob
    : undefined;

/** The query parameters of an operation. */
export type QueryOf<O extends Operation> = O['query'] extends z.ZodObject
  ? Extract<keyof z.input<O['query']>, string>
  : never;
