import type { FactEngine } from '../../../engine/engine.ts';
import type { FactSet } from '../../../engine/fact-set.ts';
import { parseAmount, type Amount } from '../../../kit/money.ts';
import type { Day } from '../../../kit/period.ts';
import type { CostCell } from '../cell.ts';
import { cellsSql, type FactBasis } from './fact-sql.ts';
import { rankingSql, type AnswerRow, type FactRanking } from './rank-sql.ts';
import type { CostQuery } from '../query.ts';
import { rowOrder, type RankBy, type RankedCosts, type RankedRow } from './ranking.ts';

/** The facts of a question, and what its SQL depends on, all as of one moment. */
export interface FactSource extends FactBasis {
  readonly set: FactSet;
}

/** Reads the cells of a question from the facts: exact, converted by the charge month's rate. */
export async function readFactCells(
  engine: FactEngine,
  source: FactSource,
  query: CostQuery,
  signal?: AbortSignal,
): Promise<CostCell[]> {
  const sql = cellsSql(source, query);
  const rows = await engine.rows<AnswerRow>(source.set, { name: 'costs', sql, ...(signal && { signal }) });
  return rows.flatMap(({ date, unconverted, cost, ...row }) =>
    cost === null ? [] : [{ period: date, keys: keysOf(row, query), unconverted, cost: parseAmount(cost) }],
  );
}

/** Ranks the groups of a question inside the engine: what leaves it is the rows that are shown, and what all of them add up to. */
export async function rankFacts(
  engine: FactEngine,
  source: FactSource,
  { query, ranking }: { readonly query: CostQuery; readonly ranking: FactRanking & RankBy },
  signal?: AbortSignal,
): Promise<RankedCosts> {
  const sql = rankingSql(source, query, ranking);
  const rows = await engine.rows<AnswerRow>(source.set, { name: 'costs', sql, ...(signal && { signal }) });
  const parts = Map.groupBy(rows, ({ part }) => part);
  const of = (part: AnswerRow['part']) => parts.get(part) ?? [];
  const points = Map.groupBy(of('point'), (row) => JSON.stringify(keysOf(row, query)));
  const shown = of('row').map((row): RankedRow => {
    const keys = keysOf(row, query);
    return {
      keys,
      cost: amountOf(row.cost),
      previous: amountOf(row.previous),
      quantity: row.quantity === null ? null : parseAmount(row.quantity),
      unit: row.unit,
      points: sumsByDay(points.get(JSON.stringify(keys)) ?? []),
    };
  });
  const [total] = of('total');
  return {
    rows: shown.sort(rowOrder(ranking)),
    rowCount: Number(total?.count ?? 0),
    matchCount: Number(of('matching')[0]?.count ?? 0),
    total: amountOf(total?.cost ?? null),
    previousTotal: amountOf(total?.previous ?? null),
    points: sumsByDay([...of('point'), ...of('rest')]),
    unconverted: new Map(
      of('unconverted')
        .map((row) => [row.unconverted ?? '', amountOf(row.cost)] as const)
        .filter(([, amount]) => amount !== 0n),
    ),
  };
}

type Keys = Pick<AnswerRow, 'k0' | 'k1' | 'k2'>;

function keysOf({ k0, k1, k2 }: Keys, { dimensions }: Pick<CostQuery, 'dimensions'>): (string | null)[] {
  return [k0, k1, k2].slice(0, dimensions.length);
}

function amountOf(text: string | null): Amount {
  return text === null ? 0n : parseAmount(text);
}

function sumsByDay(rows: readonly AnswerRow[]): Map<Day, Amount> {
  const sums = new Map<Day, Amount>();
  for (const { date, cost } of rows) if (date !== null) sums.set(date, (sums.get(date) ?? 0n) + amountOf(cost));
  return sums;
}
