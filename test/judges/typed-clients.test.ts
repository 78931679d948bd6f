import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { parse } from 'graphql';
import { generateSource } from 'oazapfts';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readRoot = (name: string) => readFileSync(path.join(root, name), 'utf8');

/** The scalars that we tell clients to use, and the file that they refer to. */
const readme = readRoot('src/graph/README.md');
const [, scalars = ''] = /```json\n([^]*?)```/.exec(readme) ?? [];
const [, jsonTypes = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];

it('generates a REST client without `any` and `unknown` that compiles in strict mode', async () => {
  const client = await generateSource(path.join(root, 'schema/openapi.json'));
  expect(looseTypes(client)).toEqual([]);
  const usage = `
import { costsByService, createBudget, defaults, inventoryResource, type Budget } from './client.ts';

defaults.headers = { Authorization: 'Bearer svc_token' };

export async function largestService(): Promise<string | null> {
  const answer = await costsByService({ startDate: '2026-10-01', provider: ['aws'] });
  if (answer.status !== 200) return null;
  return answer.data.groups[0]?.service ?? null;
}

export async function newBudget(): Promise<Budget> {
  const answer = await createBudget({ name: 'Production', amount: 25_000, currency: 'USD', alert_thresholds: [80] });
  if (answer.status === 400) throw new Error([answer.data.error.field, answer.data.error.message].join(': '));
  if (answer.status !== 201) throw new Error(String(answer.status));
  return answer.data;
}

export async function teamOf(id: string): Promise<string | null> {
  const answer = await inventoryResource(id);
  return answer.status === 200 ? (answer.data.tags['team'] ?? null) : null;
}

// @ts-expect-error A budget has a name.
export const nameless = () => createBudget({ amount: 1 });
// @ts-expect-error The metric is one of four.
export const unknownMetric = () => costsByService({ costMetric: 'weekly' });
`;
  // The generator's own calls of `fetch` pass options on that are undefined.
  const options = { exactOptionalPropertyTypes: false };
  expect(await compile({ 'client.ts': client, 'usage.ts': usage }, options)).toBe('');
});

it('generates a GraphQL client without `any` and `unknown` that compiles in strict mode', async () => {
  const query = `
    query Costs($provider: [String!]) {
      costsByService(provider: $provider) { totalCost completeThrough groups { service cost } }
    }
    query Resource($id: ID!) { inventoryResource(id: $id) { tags } }`;
  const shared = {
    filename: 'client.ts',
    schema: parse(readRoot('schema/schema.graphql')),
    pluginMap: { typescript, operations },
    config: { scalars: JSON.parse(scalars), strictScalars: true, enumsAsTypes: true, useTypeImports: true },
  };
  const types = await codegen({ ...shared, documents: [], plugins: [{ typescript: {} }] });
  const documents = [{ location: 'usage.graphql', document: parse(query) }];
  const answers = await codegen({ ...shared, documents, plugins: [{ operations: {} }] });
  // A helper that the generator puts into every file.
  const helper = 'type Exact<T extends { [key: string]: unknown }> =';
  expect(looseTypes(types + answers.replace(helper, 'type Exact<T> ='))).toEqual([]);
  const usage = `
import type { Account, MutationSetExchangeRatesArgs } from './types.ts';
import type { CostsQuery, CostsQueryVariables, ResourceQuery } from './answers.ts';

export const variables: CostsQueryVariables = { provider: ['aws'] };

export function largestService({ costsByService: costs }: CostsQuery): string | null {
  return costs === null ? null : \`\${costs.groups[0]?.service} of \${costs.totalCost.toFixed(2)}\`;
}

export function teamOf({ inventoryResource: resource }: ResourceQuery): string | null {
  const team = resource?.tags['team'];
  return typeof team === 'string' ? team : null;
}

export const nameOf = ({ name }: Account): string => name;
export const rates: MutationSetExchangeRatesArgs['rates'] = [{ from: 'EUR', month: '2026-10', rate: 1.1, to: 'USD' }];

// @ts-expect-error A total is a number.
export const total = (costs: NonNullable<CostsQuery['costsByService']>): string => costs.totalCost;
`;
  const files = { 'types.ts': types, 'answers.ts': answers, 'json.ts': jsonTypes, 'usage.ts': usage };
  expect(await compile(files)).toBe('');
});

/** The lines of a generated file that give a type away; comments and texts may use the words. */
function looseTypes(text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|"[^"\n]*"|'[^'\n]*'/g, '');
  return code.match(/.*\b(?:any|unknown)\b.*/g) ?? [];
}

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noEmit: true,
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
};

/** What the compiler says of these files; empty when nothing is wrong. */
async function compile(files: Readonly<Record<string, string>>, options: object = {}): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'costkeep-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const config = JSON.stringify({ compilerOptions: { ...compilerOptions, ...options } });
  const all = { ...files, 'package.json': '{"type":"module"}', 'tsconfig.json': config };
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text);
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder }, (error, stdout, stderr) =>
    resolve(error ? stdout + stderr || error.message : ''),
  );
  return promise;
}
