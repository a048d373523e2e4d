import { items, members, textOf } from './loose-json.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Chosen among the values of an enumeration where it is one of them: the least that an agent can claim. */
const MODEST = 'LOW';

/** The smallest plain value that fits a JSON Schema (or Gemini's dialect of it): always the same one. Absent schema: an empty object. */
export function sampleJson(schema: Schema, root: Schema = schema): unknown {
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf } = schema;
  if (only !== undefined) return only;
  if (typeof $ref === 'string') return sampleJson(referred($ref, root), root);
  if (Array.isArray(values)) return values.includes(MODEST) ? MODEST : values[0];
  const [choice] = [...items(anyOf), ...items(oneOf)];
  if (choice !== undefined) return sampleJson(members(choice), root);
  const merged: Schema = Object.assign({}, schema, ...items(allOf).map(members));
  return ofType(merged, root);
}

function referred(pointer: string, root: Schema): Schema {
  const path = pointer.replace(/^#\/?/, '').split('/');
  return members(path.reduce<unknown>((here, key) => members(here)[key], root));
}

function ofType(schema: Schema, root: Schema): unknown {
  switch (typeName(schema)) {
    case 'string':
      return 'scripted'.padEnd(Number(schema.minLength ?? 0), '.');
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 0);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () =>
        sampleJson(members(schema.items), root),
      );
    default:
      return object(schema, root);
  }
}

/** Of several types the first that is not null. */
function typeName({ type }: Schema): string | undefined {
  const name = Array.isArray(type) ? (type.find((one) => one !== 'null') ?? 'null') : type;
  return textOf(name)?.toLowerCase();
}

function object(schema: Schema, root: Schema): unknown {
  const properties = members(schema.properties);
  const required = items(schema.required).filter((key) => typeof key === 'string');
  return Object.fromEntries(required.map((key) => [key, sampleJson(members(properties[key]), root)]));
}
