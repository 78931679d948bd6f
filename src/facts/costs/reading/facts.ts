import type { FactEngine } from '../../../engine/engine.ts';
import type { FactSet } from '../../../engine/fact-set.ts';
import { parseAmount, type Amount } from '../../../kit/money.ts';
import type { Day } from '../../../kit/time/period.ts';
import { amountsBy, convertedOf, type CostCell } from '../cells.ts';
import { filterOf, type CostQuery } from '../query.ts';
import { cellsSql, type FactBasis } from './fact-sql.ts';
import { rankingSql, type AnswerRow, type FactRanking } from './rank-sql.ts';
import { rowOrder, type RankBy, type RankedCosts, type RankedRow } from './ranking.ts';

/** The facts of a query and its SQL basis, all from one snapshot. */
export interface FactSource extends FactBasis {
  readonly set: FactSet;
}

interface FactCellRow extends Keys {
  readonly date: Day | null;
  readonly unconverted: string | null;
  readonly cost: string | null;
}

/** Reads exact cells from the facts, converted at the charge month's rate. */
export async function readFactCells(
  engine: FactEngine,
  source: FactSource,
  query: CostQuery,
  signal?: AbortSignal,
): Promise<CostCell[]> {
  const sql = cellsSql(source, query);
  const rows = await engine.rows<FactCellRow>(source.set, { name: 'costs', sql, ...(signal && { signal }) });
  return rows.flatMap(({ date, unconverted, cost, ...row }) =>
    cost === null ? [] : [{ period: date, keys: keysOf(row, query), unconverted, cost: parseAmount(cost) }],
  );
}

export interface RankingSources {
  /** Facts of the range. */
  readonly current: FactSource;
  /** Facts of the range and of the comparison range; no day-level facts. */
  readonly compared: FactSource;
}

/** Ranks groups inside the engine, which returns only the displayed rows and the totals of all groups. */
export async function rankFacts(
  engine: FactEngine,
  { current, compared }: RankingSources,
  { query, ranking }: { readonly query: CostQuery; readonly ranking: FactRanking & RankBy },
  signal?: AbortSignal,
): Promise<RankedCosts> {
  const sql = rankingSql(compared, query, ranking);
  const answer = await engine.rows<AnswerRow>(compared.set, { name: 'costs', sql, ...(signal && { signal }) });
  const shown = answer.filter(({ place }) => place !== null).map((row) => ({ ...row, keys: keysOf(row, query) }));
  const keys = shown.map((row) => row.keys);
  const cells = query.bucket === 'none' ? [] : await readFactCells(engine, current, aboutRows(query, keys), signal);
  const points = Map.groupBy(convertedOf(cells), (cell) => JSON.stringify(cell.keys));
  const rows = shown.map((row): RankedRow => ({
    keys: row.keys,
    cost: amountOf(row.cost),
    previous: amountOf(row.previous),
    quantity: row.quantity === null ? null : parseAmount(row.quantity),
    unit: row.unit,
    points: amountsBy(points.get(JSON.stringify(row.keys)) ?? [], ({ period }) => period),
  }));
  const [all] = answer;
  return {
    rows: rows.sort(rowOrder(ranking)),
    rowCount: Number(all?.row_count ?? 0),
    matchCount: Number(all?.match_count ?? 0),
    total: amountOf(all?.total ?? null),
    previousTotal: amountOf(all?.previous_total ?? null),
    points: new Map(),
    unconverted: new Map(),
    previousUnconverted: new Map(),
  };
}

/** Narrows a query to some rows; with several dimensions it also matches other combinations of their values. */
function aboutRows(query: CostQuery, rows: readonly RankedRow['keys'][]): CostQuery {
  const { dimensions, include } = query;
  const others = include.filter(({ dimension }) => !dimensions.includes(dimension));
  const values = dimensions.map((dimension, at) =>
    filterOf(
      dimension,
      rows.map((keys) => keys[at] ?? null),
    ),
  );
  return { ...query, include: [...others, ...values] };
}

type Keys = Pick<AnswerRow, 'k0' | 'k1' | 'k2'>;

function keysOf({ k0 = null, k1 = null, k2 = null }: Keys, { dimensions }: Pick<CostQuery, 'dimensions'>) {
  return [k0, k1, k2].slice(0, dimensions.length);
}

function amountOf(text: string | null): Amount {
  return text === null ? 0n : parseAmount(text);
}
