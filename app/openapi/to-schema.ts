import { z } from 'zod';

export type Schema = z.core.JSONSchema.BaseSchema;

/** Definitions by name, which `toSchema` adds to. */
export type Components = Record<string, Schema>;

/** Integers are safe ones anyway, and names of properties are text: it need not be said of each. */
const SAFE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function override({ jsonSchema }: { jsonSchema: Schema }): void {
  if (jsonSchema.minimum === SAFE_BOUNDS.minimum) delete jsonSchema.minimum;
  if (jsonSchema.maximum === SAFE_BOUNDS.maximum) delete jsonSchema.maximum;
}

/**
 * A zod schema as OpenAPI 3.1 takes it, which is JSON Schema 2020-12. What has an id becomes a component.
 * @param io `input`: what a sender may leave out is optional; `output`: objects have no further properties
 */
export function toSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): Schema {
  const made = z.toJSONSchema(schema, { io, override });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as Schema;
  Object.assign(components, $defs);
  const { id, ...own } = rest;
  if (typeof id !== 'string') return rest;
  components[id] = own;
  return { $ref: `#/components/schemas/${id}` };
}
