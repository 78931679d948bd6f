import { Ajv } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { restApiOf } from '../../../src/surfaces/rest/api.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';
import { normalized } from '../../support/examples/normalize.ts';
import { csvCells } from '../../support/rfc4180.ts';
import { isJson } from './arbitrary.ts';

const { document } = restApiOf(buildSchema());

/** Converts exclusive bounds from OpenAPI 3.0 to JSON Schema. */
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

/** The violations of a schema by an example. */
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
  readonly responses: Record<string, { content?: Record<string, Media> }>;
}

/** Media types that cannot be shown as text. */
const binary = new Set([
  'application/pdf',
  'application/vnd.apache.parquet',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]);

const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as OperationObject[]);

/** A recording with the parts that differ each time. */
function recordingOf(id: string, user: string, time: string, file: object) {
  const answer = { id, created_at: `2026-11-21T${time}Z`, user: { id: user }, qr_svg: `<svg>${time}</svg>`, ...file };
  return { createReport: { request: {}, answers: { 201: answer } } };
}

describe('the examples', () => {
  it('are the same in each recording', () => {
    const [one, other] = [
      recordingOf('01a1fd58-89c2-712e-a06b-3884547bf6ac', 'AaH9VtUGdlOz8aBxyMAFiA', '09:00:01.123', {
        size_bytes: 7616,
        sha256: '6ec3',
        evaluated_percent: 2.56,
      }),
      recordingOf('01a227d5-f1f2-72f5-b9bc-aef01cc0aac0', 'AaH9WIm4cHucaKZbeyGQag', '09:02:03.456', {
        size_bytes: 7617,
        sha256: '2815',
        evaluated_percent: 0,
      }),
    ].map(normalized);
    expect(one).toEqual(other);
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    'of %s match their schemas',
    (_id, operation) => {
      const body = operation.requestBody?.content['application/json'];
      if (body) expect([body.example !== undefined, faults(body.schema, body.example)]).toEqual([true, []]);
      const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      expect(successes).not.toEqual([]);
      for (const [status, success] of successes)
        for (const [type, { schema, example }] of Object.entries(success.content ?? {})) {
          if (binary.has(type)) continue;
          expect([status, type, example !== undefined, faults(schema, example)]).toEqual([status, type, true, []]);
        }
      for (const parameter of operation.parameters ?? []) {
        if (!('name' in parameter)) continue;
        expect([parameter.name, parameter.example]).not.toEqual([parameter.name, undefined]);
        expect([parameter.name, faults(parameter.schema, parameter.example)]).toEqual([parameter.name, []]);
      }
    },
  );

  it('of CSV have a header and one to three rows with the same number of cells', () => {
    const files = operations.flatMap(({ operationId, responses }) => {
      const example = responses['200']?.content?.['text/csv']?.example;
      return example === undefined ? [] : [[operationId, csvCells(String(example))] as const];
    });
    expect(files.length).toBeGreaterThan(30);
    for (const [operationId, [header = [], ...rows]] of files) {
      expect([operationId, rows.length]).toEqual([operationId, expect.toBeOneOf([1, 2, 3])]);
      expect([operationId, rows.filter((row) => row.length !== header.length)]).toEqual([operationId, []]);
      expect([operationId, header.filter((name) => !/^[A-Za-z][\w:]*$/.test(name))]).toEqual([operationId, []]);
    }
  });

  it('of partial content equal the example file from the start of the example range', () => {
    const { parameters = [], responses } = operations.find(({ operationId }) => operationId === 'downloadReport') ?? {};
    const range = parameters.find((parameter) => 'name' in parameter && parameter.name === 'Range');
    const start = Number(/^bytes=(\d+)-$/.exec(String(Object(range).example))?.[1]);
    for (const type of ['text/csv', 'application/json']) {
      const [whole, part] = ['200', '206'].map((status) => String(responses?.[status]?.content?.[type]?.example));
      expect([start > 0, part]).toEqual([true, whole?.slice(start)]);
    }
  });

  it('show the matching response for each status of an operation', () => {
    const ofRegistration = operations.find(({ operationId }) => operationId === 'registerPasskey')?.responses;
    const example = (status: string) => Object(ofRegistration?.[status]?.content?.['application/json']?.example);
    expect([example('200').id, typeof example('200').options]).toEqual([null, 'object']);
    expect([typeof example('201').id, example('201').options]).toEqual(['string', null]);
  });

  it('contain no address, id or secret of the machine that generated them', () => {
    const text = JSON.stringify(operations);
    expect(text).not.toMatch(
      /localhost|127\.0\.0\.1:|eyJhbGciOi(?!JFZERTQSIsInR5cCI6ImF0K2p3dCJ9\.eyJleGFtcGxlIjp0cnVlfQ)/,
    );
    const ids = text.match(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g) ?? [];
    expect(ids.filter((id) => !id.startsWith('019a8c2e-0000-7000-8000-'))).toEqual([]);
  });
});
