import { bundleFromString, createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { worldOfFile } from '../../support/world.ts';
import '../things.ts';

const at = worldOfFile();
const { document, operations } = restApiOf(buildSchema());

interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: unknown[];
  parameters?: { name?: string; in?: string; required?: boolean; schema?: object; style?: string; explode?: boolean }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: object }>;
  };
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content?: Record<string, { schema: object }>; $ref?: string }
  >;
}

function operationAt(method: string, path: string): OperationObject {
  const item: Record<string, unknown> = { ...document.paths[path] };
  const found = item[method];
  if (typeof found !== 'object' || found === null) throw new Error(`The document has no ${method} ${path}`);
  return found as OperationObject;
}

describe('the OpenAPI document', () => {
  it('passes the recommended rules of Redocly', async () => {
    // Ambiguous by specification: no report has the id `schedules`, and no schedule `download`.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message} ${problem.location[0]?.pointer}`)).toEqual(
      [],
    );
  });

  it('has no dangling references', async () => {
    const config = await createConfig({});
    const { problems } = await bundleFromString({ source: JSON.stringify(document), config, dereference: true });
    expect(problems).toEqual([]);
  });

  it('is served without a token, and redirects browsers to the docs page', async () => {
    const json = await fetch(`${at().url}/api/v1/docs`);
    expect(await json.json()).toEqual(JSON.parse(JSON.stringify(document)));
    const page = await fetch(`${at().url}/api/v1/docs`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([302, '/docs']);
    const unknown = await fetch(`${at().url}/api/v1/docs?bogus=1`);
    expect([unknown.status, await unknown.json()]).toEqual([
      400,
      {
        error: {
          code: 'VALIDATION_ERROR',
          field: 'bogus',
          message: 'bogus is not a known parameter; leave it out: the document takes none',
          reason: 'is not a known parameter',
          remedy: 'leave it out: the document takes none',
          status: 400,
        },
      },
    ]);
  });

  it('lists exactly the routes that are served', async () => {
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = operations.map(({ route }) => `${route.method} ${route.path}`);
    const others = ['GET /costs/export', 'GET /docs', 'GET /reports/{id}/download', 'POST /accounts/{id}/files'];
    expect(listed.sort()).toEqual([...served, ...others].sort());
    for (const { route } of operations) {
      const answer = await at().rest(route.method, route.path.replaceAll(/\{\w+\}/g, 'x'));
      // Public routes validate the missing body first; the others require authentication.
      expect([route.path, answer.status]).toEqual([route.path, route.public ? expect.any(Number) : 401]);
      expect([404, 405]).not.toContain(answer.status);
    }
  });

  it('lists the operations missing in GraphQL in its description', () => {
    const roots = new Set(operations.map(({ name }) => name));
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => operationAt(method, path).operationId),
    );
    const restOnly = listed.filter((id) => !roots.has(id)).sort();
    const promised = /root field there, except (.*)\.$/m.exec(document.info.description)?.[1] ?? '';
    expect([...promised.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(restOnly);
  });

  it('names each operation like its GraphQL root field, and has a summary', () => {
    for (const { name, route } of operations) {
      const operation = operationAt(route.method.toLowerCase(), route.path);
      expect(operation.operationId).toBe(name);
      expect(operation.summary.length).toBeGreaterThan(3);
      expect(operation.tags).toEqual(route.tags);
    }
  });

  it('describes parameters with types, defaults, bounds and lists', () => {
    const { parameters, requestBody } = operationAt('get', '/things');
    expect(requestBody).toBeUndefined();
    expect(parameters).toEqual([
      {
        name: 'page',
        in: 'query',
        description: 'Page number, from 1. A page past the end is empty.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 2_147_483_647, default: 1 },
      },
      {
        name: 'per_page',
        in: 'query',
        description: 'Items per page, 1 to 100.',
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'kind',
        in: 'query',
        description: 'Of these kinds.',
        schema: { type: 'array', minItems: 1, maxItems: 1000, items: { $ref: '#/components/schemas/ThingKind' } },
        style: 'form',
        explode: false,
      },
      { name: 'since', in: 'query', description: 'Since.', schema: { type: 'string', format: 'date' } },
      { name: 'min_amount', in: 'query', description: 'At least.', schema: { type: 'number' } },
      { name: 'is_big', in: 'query', description: 'Big ones.', schema: { type: 'boolean' } },
    ]);
    expect(operationAt('delete', '/things/{id}').parameters?.[0]).toEqual({
      name: 'id',
      in: 'path',
      description: 'Its id.',
      required: true,
      schema: { type: 'string', format: 'uuid' },
    });
  });

  it('describes bodies with required and nullable fields, and disallows others', () => {
    const post = operationAt('post', '/things').requestBody;
    expect(post).toEqual({
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThingRequest' } } },
    });
    const { schemas } = Object(document['components']);
    expect(schemas.CreateThingRequest).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['display_name'],
    });
    expect(schemas.CreateThingRequest.properties).toMatchObject({
      display_name: { type: 'string', description: 'Its name.' },
      amount: { type: 'number', nullable: true },
      kind: {
        anyOf: [{ $ref: '#/components/schemas/ThingKind' }, { type: 'string', nullable: true, enum: [null] }],
      },
      parts: { type: 'array', items: { $ref: '#/components/schemas/ThingPart' }, nullable: true },
    });
    const patch = schemas.UpdateThingRequest;
    expect(Object.keys(patch.properties)).toEqual(['display_name', 'seen_by']);
    expect(patch.minProperties).toBe(1);
  });

  it('describes responses with all keys required, nullable fields, no content for 204, and possible errors', () => {
    const schemas = Object(document['components']).schemas;
    expect(schemas.Thing.required).toEqual(['id', 'display_name', 'kind', 'amount', 'origin', 'labels', 'seen_by']);
    expect(schemas.Thing.properties.seen_by).toEqual({
      type: 'string',
      nullable: true,
      description: 'By whom, if anyone.',
    });
    expect(schemas.ThingKind.enum).toEqual(['in_progress', 'done']);
    expect(operationAt('delete', '/things/{id}').responses['204']?.content).toBeUndefined();
    expect(Object.keys(operationAt('get', '/things').responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(operationAt('get', '/things/{id}').responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '429',
      '500',
      '503',
    ]);
    expect(Object.keys(operationAt('post', '/things').responses)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
    expect(operationAt('post', '/auth/login').security).toEqual([]);
  });

  it('has a conflict where a name can be taken, and a size limit where there is a body', () => {
    for (const path of ['/virtual-tags', '/metrics', '/views', '/dashboards', '/channels'])
      expect(Object.keys(operationAt('post', path).responses), path).toContain('409');
    for (const { name, route } of operations) {
      const { requestBody, responses } = operationAt(route.method.toLowerCase(), route.path);
      expect('413' in responses, name).toBe(requestBody !== undefined);
    }
  });

  it('describes headers, ETag and CSV where they apply', () => {
    const { responses } = operationAt('get', '/costs/by-service');
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/json', 'text/csv']);
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual([
      'Access-Control-Allow-Origin',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'X-Request-Id',
      'ETag',
      'Content-Disposition',
      'Link',
    ]);
    expect(operationAt('get', '/costs/by-service').parameters?.at(-1)).toEqual({
      $ref: '#/components/parameters/IfNoneMatch',
    });
    expect(operationAt('get', '/org').responses['304']).toBeUndefined();
  });

  it('states the bounds that are enforced', () => {
    const { CreateBudgetRequest, UpdateBudgetRequest, RegisterRequest } = Object(document['components']).schemas;
    expect(RegisterRequest.properties).toMatchObject({
      email: { type: 'string', format: 'email', maxLength: 254 },
      password: { type: 'string', format: 'password', minLength: 8, maxLength: 128 },
      name: { type: 'string', minLength: 1, maxLength: 100 },
    });
    expect(CreateBudgetRequest.properties).toMatchObject({
      amount: { type: 'number', minimum: 1e-6, maximum: 1e15, exclusiveMaximum: true },
      account_id: { type: 'string', format: 'uuid', nullable: true },
      alert_thresholds: { maxItems: 10, uniqueItems: true, items: { type: 'number', minimum: 1e-6, maximum: 1000 } },
      emails: { maxItems: 20, items: { type: 'string', format: 'email', maxLength: 254 } },
    });
    // A missing field is kept; null does not clear it.
    expect(UpdateBudgetRequest.properties.name).not.toHaveProperty('nullable');
    expect(UpdateBudgetRequest.properties.service).toHaveProperty('nullable', true);
  });

  it('lists the security schemes, and which operation accepts which', () => {
    expect(Object.keys(Object(document['components']).securitySchemes)).toEqual([
      'accessToken',
      'apiToken',
      'refreshCookie',
    ]);
    expect(document['security']).toEqual([{ accessToken: [] }, { apiToken: [] }]);
    expect(operationAt('get', '/costs').security).toBeUndefined();
    expect(operationAt('post', '/auth/tokens').security).toEqual([{ accessToken: [] }]);
    expect(operationAt('post', '/auth/refresh').security).toEqual([{ refreshCookie: [] }, {}]);
  });
});
