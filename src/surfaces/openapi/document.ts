import type { GraphQLType } from 'graphql';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Operation } from '../rest/operations.ts';
import { exportItem, exportPath } from '../rest/cost-export.ts';
import { downloadItem, downloadPath } from '../rest/report-download.ts';
import { errorStatusesOf, pathItems } from './paths.ts';
import { commonHeaders, componentHeaders, componentResponses, errorReference, errorSchema } from './responses.ts';
import { componentSchemas, type Json } from './schemas.ts';
import { tags } from './tags.ts';

/** The OpenAPI 3.0 document of the REST API. */
export interface OpenApiDocument extends Json {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: Json;
  };
  readonly tags: typeof tags;
  readonly paths: Readonly<Record<string, Json>>;
}

const about = `Cloud costs from your own bills: connect accounts or FOCUS exports, sync them, ask what they cost.

**Authentication.** Log in with \`POST /auth/login\` and send the \`access_token\` as \`Authorization: Bearer …\`.

**Conventions.** Fields are snake_case and enum values lower case. Days are \`YYYY-MM-DD\`, months \`YYYY-MM\`, instants ISO 8601, all UTC. Money is a number in the \`currency\` of the same object. Keys that do not apply are present and null. Unknown parameters and fields are refused. A parameter that is a list takes several values: comma-separated (\`\\,\` is a comma), or given again.

**Errors** have one form: \`{"error": {"code", "message", "status"}}\`.

**Limits.** Each minute has a budget by category: \`auth\` by address; \`read\`, \`write\`, \`report\` and \`export\` by user. Every response says what is left.

The same operations are in GraphQL at \`/graphql\`: each \`operationId\` is a root field there, except \`downloadReport\`, \`exportCosts\` and \`openApiDocument\`.`;

/** Writes the document from the routes that are served, so that it cannot say anything else. */
export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const used = new Set(['Service', ...operations.flatMap((operation) => operation.route.tags)]);
  refuseUnknownTags(used);
  const statuses = operations.flatMap(errorStatusesOf);
  return {
    openapi: '3.0.3',
    info: {
      title: 'Costkeep REST API',
      version: packageJson.version,
      description: about,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/api/v1', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: tags.filter((tag) => used.has(tag.name)),
    paths: sorted({
      ...pathItems(operations),
      '/docs': docsItem,
      [downloadPath]: downloadItem,
      [exportPath]: exportItem,
    }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a login.' } },
      schemas: { ...componentSchemas(operations.flatMap(typesOf)), Error: errorSchema },
      responses: componentResponses([...statuses, 404, 416, 429]),
      headers: componentHeaders,
      parameters: {
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          description: 'The ETag of the client’s copy.',
          schema: { type: 'string' },
        },
      },
    },
  };
}

function typesOf({ field, parameters }: Operation): GraphQLType[] {
  return [field.type, ...parameters.map(({ argument }) => argument.type)];
}

/** The document describes where it is found, too. */
const docsItem = {
  get: {
    operationId: 'openApiDocument',
    summary: 'This document',
    description:
      'The OpenAPI 3.0 description of this API. Browsers are led to a page for people, `/docs`.\n\nCounts as `read`.',
    tags: ['Service'],
    security: [],
    responses: {
      200: {
        description: 'The document.',
        headers: commonHeaders,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      302: {
        description: 'To the page for people, when HTML is asked for.',
        content: { 'text/html': { schema: { type: 'string' } } },
      },
      429: errorReference(429),
    },
  },
};

function refuseUnknownTags(used: Iterable<string>): void {
  const known = new Set(tags.map((tag) => tag.name));
  for (const name of used)
    if (!known.has(name)) throw new Error(`The tag ${name} has no description: add it to openapi/tags.ts`);
}

function sorted(paths: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}
