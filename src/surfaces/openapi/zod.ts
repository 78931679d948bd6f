import type { OpenApiDocument } from './document.ts';

/** Part of an OpenAPI schema. */
interface Node {
  readonly $ref?: string;
  readonly allOf?: readonly [Node];
  readonly anyOf?: readonly Node[];
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Node | false;
}

const basic: Readonly<Record<string, string>> = {
  string: 'z.string()',
  integer: 'z.int()',
  number: 'z.number()',
  boolean: 'z.boolean()',
};

/** Generates a TypeScript module of zod schemas for the API's enums and responses, which our own client, the MCP
 *  server, parses responses with. Enum fields of responses are strings, because a newer server may have more values. */
export function zodModule(document: OpenApiDocument): string {
  const components = document['components'] as { readonly schemas: Readonly<Record<string, Node>> };
  const written = new Map<string, string>();
  const write = (name: string): void => {
    const node = components.schemas[name];
    if (!node || written.has(name) || name === 'JsonValue') return;
    if (node.enum) written.set(name, `z.enum(${JSON.stringify(node.enum)})`);
    else {
      for (const [, other] of JSON.stringify(node).matchAll(/#\/components\/schemas\/(\w+)/g)) write(other ?? '');
      written.set(name, objectOf(node, components.schemas));
    }
  };
  Object.keys(components.schemas)
    .filter((name) => !/(Input|Request)$/.test(name))
    .forEach(write);
  const lines = [...written].map(([name, schema]) => `export const ${name} = ${schema};`);
  return [
    "// Written by `npm run emit` from openapi.json. Do not edit.\nimport { z } from 'zod';\n",
    ...lines,
    '',
  ].join('\n');
}

function objectOf({ properties = {}, required = [] }: Node, schemas: Readonly<Record<string, Node>>): string {
  const fields = Object.entries(properties).map(
    ([name, node]) => `${name}: ${schemaOf(node, schemas)}${required.includes(name) ? '' : '.optional()'}`,
  );
  return `z.object({ ${fields.join(', ')} })`;
}

function schemaOf(node: Node, schemas: Readonly<Record<string, Node>>): string {
  const inner = (one: Node) => schemaOf(one, schemas);
  if (node.$ref) {
    const name = node.$ref.slice('#/components/schemas/'.length);
    if (name === 'JsonValue') return 'z.unknown()';
    return schemas[name]?.enum ? 'z.string()' : name;
  }
  if (node.allOf) return inner(node.allOf[0]);
  // This form only adds `null` to the schema.
  if (node.anyOf) return `${inner(node.anyOf[0] ?? {})}.nullable()`;
  const schema =
    node.type === 'array' ? `z.array(${inner(node.items ?? {})})` : (basic[node.type ?? ''] ?? recordOf(node));
  return node.nullable ? `${schema}.nullable()` : schema;

  function recordOf({ properties, additionalProperties: values }: Node): string {
    if (properties) return objectOf(node, schemas);
    return `z.record(z.string(), ${values ? inner(values) : 'z.unknown()'})`;
  }
}
