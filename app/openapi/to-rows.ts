import type { Schema } from './to-schema';

/** One field of a schema as a row of a table. */
export type Row = {
  /** For example `stock.total`, `orders[].orderNo`, `action (limit).perMinute`. */
  name: string;
  type: string;
  /** The object the type names, for a link to it. */
  object?: string;
  isRequired: boolean;
  /** The field's rules, its default and its meaning. */
  notes: string[];
};

/** The most values a row shows; longer lists are cut. */
const MOST_VALUES = 12;

type Kind = Pick<Row, 'type' | 'object'> & {
  /** The schemas inside this one, each with the suffix its name gets. */
  inner: { suffix: string; schema: Schema }[];
};

/**
 * Returns one row per field of a schema, nested fields after their parents. A schema that is no object gives one row
 * without a name.
 */
export function toRows(schema: Schema, name = '', isRequired = true): Row[] {
  const { inner, ...kind } = kindOf(schema);
  const own: Row = { name: name.trim(), ...kind, isRequired, notes: notesOf(schema) };
  const rows = inner.flatMap(({ suffix, schema: more }) => fieldsOf(more, name + suffix));
  return name === '' && rows.length > 0 ? rows : [own, ...rows];
}

function fieldsOf({ properties = {}, required = [] }: Schema, parent: string): Row[] {
  return Object.entries(properties).flatMap(([name, property]) =>
    toRows(property as Schema, parent === '' ? name : `${parent}.${name}`, required.includes(name)),
  );
}

function kindOf(schema: Schema): Kind {
  if (schema.$ref) {
    const object = schema.$ref.replace('#/components/schemas/', '');
    return { type: object, object, inner: [] };
  }
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices) return kindOfChoice(choices);
  if (schema.const !== undefined) return plain(JSON.stringify(schema.const));
  if (schema.enum) return plain(listValues(schema.enum));
  if (Array.isArray(schema.type)) return plain(schema.type.join(' or '));
  if (schema.type === 'array') {
    const { type, object, inner } = kindOf(schema.items as Schema);
    const within = inner.map(({ suffix, schema: more }) => ({ suffix: `[]${suffix}`, schema: more }));
    return { type: `array of ${type}`, object, inner: within };
  }
  if (schema.type !== 'object') return plain(schema.type ?? 'anything');
  if (schema.properties) return { type: 'object', inner: [{ suffix: '', schema }] };
  return plain(`map of names to ${kindOf(schema.additionalProperties as Schema).type}`);
}

const plain = (type: string): Kind => ({ type, inner: [] });

function kindOfChoice(choices: Schema[]): Kind {
  const [first, ...others] = choices.filter(({ type }) => type !== 'null');
  const orNull = choices.some(({ type }) => type === 'null') ? ' or null' : '';
  if (first && others.length === 0) {
    const { type, object, inner } = kindOf(first);
    return { type: type + orNull, object, inner };
  }
  const variants = choices.map((schema) => ({ suffix: ` (${variantOf(schema)})`, schema }));
  return { type: `one of ${variants.length}`, inner: variants };
}

/** Names a variant of a union after its one field with a constant. */
function variantOf({ properties = {} }: Schema): string {
  const fixed = Object.values(properties).find((property) => (property as Schema).const !== undefined);
  return String((fixed as Schema | undefined)?.const ?? 'other');
}

function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => JSON.stringify(value));
  const left = values.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

function notesOf(schema: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  return [
    ...(schema.description ? [schema.description] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(pattern ? [`pattern ${pattern}`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  const [least, most] = [from, to].map((end) => end?.toLocaleString('en'));
  if (least !== undefined && most !== undefined) return [`${least}–${most}${unit}`];
  if (least !== undefined) return [`at least ${least}${unit}`];
  return most === undefined ? [] : [`at most ${most}${unit}`];
}
