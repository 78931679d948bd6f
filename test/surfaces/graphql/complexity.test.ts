import { readFileSync } from 'node:fs';
import {
  getNamedType,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  typeFromAST,
  type NamedTypeNode,
  type OperationDefinitionNode,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { queryLimits } from '../../../src/graph/builder.ts';
import type { Context } from '../../../src/graph/context.ts';
import { measure } from '../../../src/surfaces/graphql/limits.ts';
import { buildSchema } from '../../../src/surfaces/schema.ts';

const schema = buildSchema();

const aliased = (times: number, field: string) =>
  `{ ${Array.from({ length: times }, (_, n) => `a${n}: ${field}`).join(' ')} }`;
const range = 'startDate: "2023-11-27", endDate: "2026-11-30"';
const pointsOf = (args: string) =>
  `costs(groupBy: [{ dimension: SERVICE }], ${args}) { rows { keys points { date cost } } }`;

/** The complexity of a document. */
function complexityOf(document: string, variableValues: Record<string, unknown> = {}): number {
  return measure({ document: parse(document), schema, variableValues }, {} as Context).complexity;
}

describe('the complexity of a series', () => {
  it.each([
    ['rows of 1,100 days', aliased(50, pointsOf(`granularity: DAILY, limit: 20, ${range}`))],
    [
      'groups of 1,100 days',
      aliased(50, `costsDaily(groupBy: SERVICE, ${range}) { days { date groups { service cost } } }`),
    ],
    [
      'totals of 1,100 days',
      aliased(50, `costsSummary(granularity: DAILY, ${range}) { periods { periodStart cost } }`),
    ],
    [
      'costs per unit of 1,100 days',
      aliased(50, `unitCost(metric: "orders", granularity: DAILY, ${range}) { points { date cost } }`),
    ],
    [
      'rows without points',
      aliased(50, `costs(groupBy: [{ dimension: RESOURCE }], limit: 1000) { rows { keys cost } }`),
    ],
    [
      'values',
      aliased(50, 'costDimensionValues(dimension: { dimension: RESOURCE }, limit: 1000) { values { value cost } }'),
    ],
    ['commitment plans', aliased(50, 'coveragePlanner { recommendations { provider } }')],
  ])('exceeds the maximum for 50 times the largest, but not for one: %s', (_what, document) => {
    const one = complexityOf(`{ ${document.slice(document.indexOf('a0:'), document.indexOf('a1:'))} }`);
    expect([one < queryLimits.complexity, complexityOf(document) > queryLimits.complexity]).toEqual([true, true]);
  });

  it('follows the days and the rows that are asked for', () => {
    const month = 'startDate: "2026-11-01", endDate: "2026-11-30"';
    const [whole, fewRows, fewDays, months] = [
      `granularity: DAILY, limit: 20, ${range}`,
      `granularity: DAILY, limit: 2, ${range}`,
      `granularity: DAILY, limit: 20, ${month}`,
      `granularity: MONTHLY, limit: 20, ${range}`,
    ].map((args) => complexityOf(`{ ${pointsOf(args)} }`));
    // 20 rows with keys, and points that count as 1,100 / 5 = 220 items of two fields.
    expect([whole, fewRows, fewDays, months]).toEqual([20 * 442 + 2, 2 * 442 + 2, 20 * 14 + 2, 20 * 20 + 2]);
  });

  it('is measured for each alias where they share a fragment, and with variables', () => {
    const document = `query ($granularity: CostSeriesGranularity, $from: Date, $to: Date) {
      totals: costs(limit: 20, groupBy: [{ dimension: SERVICE }]) { ...Rows }
      series: costs(limit: 20, groupBy: [{ dimension: SERVICE }], granularity: $granularity, startDate: $from, endDate: $to) { ...Rows }
    }
    fragment Rows on Costs { rows { keys points { date cost } } }`;
    const daily = complexityOf(document, { granularity: 'DAILY', from: '2023-11-27', to: '2026-11-30' });
    const none = complexityOf(document, { granularity: 'NONE' });
    expect([daily > 8_000, none < 100]).toEqual([true, true]);
  });
});

/** The largest arguments of the console: six series over the longest range, or a whole table. */
const largest: Readonly<Record<string, unknown>> = {
  startDate: '2023-11-27',
  since: '2023-11-27',
  from: '2023-11-27',
  endDate: '2026-11-30',
  to: '2026-11-30',
  groupBy: [{ dimension: 'SERVICE' }, { dimension: 'REGION' }],
};
const series = { ...largest, granularity: 'DAILY', limit: 6 };
const table = { ...largest, limit: 1000 };

/** Variables of an operation: the given ones by name, any others if they are required. */
function variablesOf({ variableDefinitions = [] }: OperationDefinitionNode, values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, type: node }) => {
      const name = variable.name.value;
      const type = typeFromAST(schema, node as NamedTypeNode);
      const named = getNamedType(type);
      const isList = isListType(isNonNullType(type) ? type.ofType : type);
      if (name in values && isList === Array.isArray(values[name])) return [[name, values[name]]];
      if (!isNonNullType(type)) return [];
      if (isEnumType(named)) return [[name, named.getValues()[0]?.name]];
      if (isInputObjectType(named)) return [[name, { dimension: 'SERVICE' }]];
      return [[name, named?.name === 'Int' ? 1 : named?.name === 'Boolean' ? true : 'x']];
    }),
  );
}

it('keeps the largest queries of the console within two thirds of the maximum complexity', () => {
  const file = readFileSync(new URL('../../../schema/console-operations.json', import.meta.url), 'utf8');
  const documents = Object.values(JSON.parse(file) as Record<string, string>);
  const found = documents.flatMap((document) => {
    const operation = getOperationAST(parse(document));
    if (operation?.operation !== 'query') return [];
    return [series, table].map((values) => ({
      name: operation.name?.value,
      complexity: complexityOf(document, variablesOf(operation, values)),
    }));
  });
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ complexity }) => complexity > (queryLimits.complexity * 2) / 3)).toEqual([]);
});
