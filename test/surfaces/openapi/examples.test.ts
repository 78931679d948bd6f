import { Ajv } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { isJson } from './arbitrary.ts';

const { document } = restApiOf(buildSchema());

/** OpenAPI 3.0 says of a bound whether it is exclusive; JSON Schema has a keyword of its own for it. */
function asJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isJson(value)) return value;
  const { exclusiveMinimum: above, exclusiveMaximum: below, minimum, maximum, example: _example, ...rest } = value;
  const own = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, asJsonSchema(part)]));
  return {
    ...own,
    ...(minimum === undefined ? {} : { [above === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined ? {} : { [below === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { int32: true, password: true, binary: true },
});
formatsPlugin.default(ajv);
ajv.addSchema({ $id: 'document', components: asJsonSchema(document['components']) });

/** What an example has that its schema does not allow. */
function faults(schema: unknown, example: unknown): string[] {
  const text = JSON.stringify(asJsonSchema(schema)).replaceAll('"#/components/', '"document#/components/');
  const validate = ajv.compile(Object(JSON.parse(text)));
  validate(example);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface Media {
  readonly schema: unknown;
  readonly example?: unknown;
}
interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly (({ name: string } & Media) | { $ref: string })[];
  readonly requestBody?: { content: { 'application/json': Media } };
  readonly responses: Record<string, { content?: { 'application/json'?: Media } }>;
}

const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);

describe('the examples', () => {
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'of %s follow it',
    (_id, operation) => {
      const body = operation.requestBody?.content['application/json'];
      if (body) expect([body.example !== undefined, faults(body.schema, body.example)]).toEqual([true, []]);
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      expect(successes).not.toEqual([]);
      const isFile = ['downloadReport', 'exportCosts'].includes(operation.operationId);
      for (const [status, success] of isFile ? [] : successes) {
        const answer = success.content?.['application/json'];
        if (answer)
          expect([status, answer.example !== undefined, faults(answer.schema, answer.example)]).toEqual([
            status,
            true,
            [],
          ]);
      }
      for (const parameter of operation.parameters ?? []) {
        if (!('name' in parameter)) continue;
        expect([parameter.name, parameter.example]).not.toEqual([parameter.name, undefined]);
        expect([parameter.name, faults(parameter.schema, parameter.example)]).toEqual([parameter.name, []]);
      }
    },
  );

  it('show each status of an operation its own answer', () => {
    const ofRegistration = operations.find(({ operationId }) => operationId === 'registerPasskey')?.responses;
    const example = (status: string) => Object(ofRegistration?.[status]?.content?.['application/json']?.example);
    expect([example('200').id, typeof example('200').options]).toEqual([null, 'object']);
    expect([typeof example('201').id, example('201').options]).toEqual(['string', null]);
  });

  it('hold no address, id or secret of the machine that they were made on', () => {
    const text = JSON.stringify(operations);
    expect(text).not.toMatch(
      /localhost|127\.0\.0\.1:|eyJhbGciOi(?!JFZERTQSIsInR5cCI6ImF0K2p3dCJ9\.eyJleGFtcGxlIjp0cnVlfQ)/,
    );
    const ids = text.match(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g) ?? [];
    expect(ids.filter((id) => !id.startsWith('019a8c2e-0000-7000-8000-'))).toEqual([]);
  });
});
