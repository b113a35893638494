import { z } from 'zod';

export type Schema = z.core.JSONSchema.BaseSchema;

/** Definitions by name; `toSchema` adds to them. */
export type Components = Record<string, Schema>;

/** Bounds and name patterns that go without saying: integers are always safe ones, and property names are always text. */
const SAFE_BOUNDS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function override({ jsonSchema }: { jsonSchema: Schema }): void {
  if (jsonSchema.minimum === SAFE_BOUNDS.minimum) delete jsonSchema.minimum;
  if (jsonSchema.maximum === SAFE_BOUNDS.maximum) delete jsonSchema.maximum;
}

/**
 * Turns a zod schema into the form OpenAPI 3.1 takes, JSON Schema 2020-12. A schema with an id becomes a component.
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
