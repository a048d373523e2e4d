import { z } from 'zod';
import type { ValuePath } from './located-file.ts';

interface SchemaNode {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
}

const cache = new WeakMap<z.ZodType, SchemaNode>();

/** The keys that a schema names for the object at a path; empty where it names none. */
export function knownKeys(schema: z.ZodType, path: ValuePath): string[] {
  let node: SchemaNode | undefined = asJsonSchema(schema);
  for (const key of path) node = child(node, key);
  return Object.keys(node?.properties ?? {});
}

/** The keys without which a file of this schema cannot be. */
export function requiredKeys(schema: z.ZodType): readonly string[] {
  return asJsonSchema(schema).required ?? [];
}

function asJsonSchema(schema: z.ZodType): SchemaNode {
  const cached = cache.get(schema);
  if (cached !== undefined) return cached;
  const made = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  }) as SchemaNode;
  cache.set(schema, made);
  return made;
}

function child(node: SchemaNode | undefined, key: PropertyKey): SchemaNode | undefined {
  if (typeof key === 'number') return node?.items;
  const named = node?.properties?.[String(key)];
  if (named !== undefined) return named;
  return typeof node?.additionalProperties === 'object' ? node.additionalProperties : undefined;
}
