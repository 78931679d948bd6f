import type { OpenAPIDocument } from 'fets';
import type { GraphQLType } from 'graphql';
import { version } from '../../kit/package.ts';
import { generalLimits } from '../../graph/bounded.ts';
import { JsonScalar } from '../../graph/scalars.ts';
import type { Operation } from '../rest/sofa/operations.ts';
import { accessTokenSeconds } from '../../tenancy/sessions/access-token.ts';
import { cookieName, secureCookieName } from '../../tenancy/sessions/cookie.ts';
import { tokenPrefix } from '../../tenancy/tokens/run.ts';
import { exportItem, exportPath } from '../rest/cost-export.ts';
import { uploadItem, uploadPath } from '../rest/file-upload.ts';
import { downloadItem, downloadPath } from '../rest/report-download.ts';
import { errorStatusesOf, pathItems, requestSchemas, withExamples } from './paths.ts';
import { commonHeaders, componentHeaders, componentResponses, errorReferences, errorSchema } from './responses.ts';
import { componentSchemas, scalarSchema, type Json } from './schemas.ts';
import { tags } from './tags.ts';

/** The OpenAPI 3.0 document of the REST API. */
export interface OpenApiDocument extends Json {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: Json;
    readonly license: Json;
  };
  readonly tags: typeof tags;
  readonly paths: Readonly<Record<string, Json>>;
}

const about = `Cloud costs from your own bills: connect cloud accounts or FOCUS exports, sync them, and query their costs.

**Authentication.** Sign in with \`POST /auth/login\`, or create an API token with \`POST /auth/tokens\`. Send the token as \`Authorization: Bearer …\`.

**Conventions.** Fields are snake_case, enum values are lower case. Days are \`YYYY-MM-DD\` and months \`YYYY-MM\`, in the years 1000 to 9990; timestamps are ISO 8601. All are in UTC. Amounts are numbers in the \`currency\` of the same object. Responses contain every field; fields that do not apply are null. Requests with unknown parameters or fields, with a body other than \`{}\` where none is documented, or with the character U+0000 are rejected, and so are numbers with more than 6 decimals, unless their field says otherwise. A list parameter takes comma-separated values (\`\\,\` is a literal comma), or can be repeated.

**Pagination.** Lists take \`page\` and \`per_page\` and return \`data\` and \`pagination\`. A page past the end is empty.

**Errors** have one form: \`{"error": {"code", "message", "status", "reason", …}}\`. Handle \`code\`; \`field\` is the invalid argument, if there is one.

**Rate limits** are per minute and category: \`auth\` per IP address; \`read\`, \`write\`, \`report\` and \`export\` per user. Every response has \`X-RateLimit-…\` headers; with status 429, \`Retry-After\` says when to retry.

**Caching.** A response with an \`ETag\` can be revalidated: a request with a matching \`If-None-Match\` gets status 304.

The same operations are in GraphQL at \`/graphql\`: each \`operationId\` is a root field there, except \`downloadReport\`, \`exportCosts\`, \`openApiDocument\` and \`uploadAccountFile\`.`;

/** Generates the document from the served routes, so that both always agree.
 *  @param base Sofa's own document of the routes */
export function openApiDocument(operations: readonly Operation[], base: OpenAPIDocument): OpenApiDocument {
  const used = new Set(['Service', ...operations.flatMap((operation) => operation.route.tags)]);
  refuseUnknownTags(used);
  const statuses = operations.flatMap(errorStatusesOf);
  const operationPaths = enriched(base, pathItems(operations));
  return {
    openapi: '3.0.3',
    info: {
      title: 'Costkeep REST API',
      version: version,
      description: about,
      contact: { name: 'Costkeep maintainers' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/api/v1', description: 'This server: production, staging or local', 'x-internal': false }],
    security: [{ accessToken: [] }, { apiToken: [] }],
    tags: tags.filter((tag) => used.has(tag.name)),
    paths: sorted({
      ...operationPaths,
      [uploadPath]: { ...operationPaths[uploadPath], ...uploadItem },
      '/docs': docsItem,
      [downloadPath]: downloadItem,
      [exportPath]: { get: { ...exportItem.get, parameters: withExamples('exportCosts', exportItem.get.parameters) } },
    }),
    components: {
      securitySchemes,
      schemas: componentsOf(operations),
      responses: componentResponses([...statuses, 404, 416, 429]),
      headers: componentHeaders,
      parameters: {
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          description: 'The `ETag` of a cached response.',
          schema: { type: 'string', maxLength: generalLimits.maxLength },
        },
      },
    },
  };
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `The \`access_token\` of a login: a JWT (RFC8725), valid for ${accessTokenSeconds / 60} minutes.`,
  },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${tokenPrefix}…`,
    description:
      'An API token from `POST /auth/tokens`, for scripts and services. Operations on security and ownership reject it.',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: `The refresh token of a login; over HTTPS, its name is \`${secureCookieName}\`. Browsers send it only to \`/api/v1/auth\`.`,
  },
};

/** @throws {Error} if a body and a type have the same name */
function componentsOf(operations: readonly Operation[]): Json {
  const types = componentSchemas(operations.flatMap(typesOf));
  const bodies = requestSchemas(operations);
  for (const name of Object.keys(bodies)) if (name in types) throw new Error(`${name} is both a type and a body`);
  return { ...types, ...bodies, ErrorResponse: errorSchema };
}

function typesOf({ field, parameters }: Operation): GraphQLType[] {
  return [field.type, ...parameters.map(({ argument }) => argument.type)];
}

/** The route of the document itself. */
const docsItem = {
  get: {
    operationId: 'openApiDocument',
    summary: 'Returns this document',
    description:
      'The OpenAPI 3.0 description of this API. Browsers are redirected to the reference, `/docs`.\n\nRate limit: `read`.',
    tags: ['Service'],
    security: [],
    responses: {
      200: {
        description: 'The document.',
        headers: commonHeaders,
        content: { 'application/json': { schema: scalarSchema(JsonScalar), example: { openapi: '3.0.3' } } },
      },
      302: {
        description: 'Redirects to `/docs` when the client accepts HTML.',
        content: { 'text/html': { schema: { type: 'string' } } },
      },
      ...errorReferences([400, 429, 500]),
    },
  },
};

type Items = Readonly<Record<string, Json>>;

/** The operations of Sofa's document, extended with bounds, errors, headers and representations. Our bodies replace
 *  Sofa's, which includes one even without arguments and repeats its fields as query parameters.
 *  @param details path items by path */
function enriched({ paths = {} }: OpenAPIDocument, details: Items): Items {
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, stated]) => {
      const own = details[path]?.[method];
      // Ours also comes first, for the order of keys.
      return [method, Object.assign({}, own, stated, { requestBody: undefined }, own)];
    });
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(items);
}

function refuseUnknownTags(used: Iterable<string>): void {
  const known = new Set(tags.map((tag) => tag.name));
  for (const name of used)
    if (!known.has(name)) throw new Error(`The tag ${name} has no description: add it to openapi/tags.ts`);
}

function sorted(paths: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
}
