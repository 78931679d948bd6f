import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { CostExplorerClient } from '@aws-sdk/client-cost-explorer';
import { csvLine } from '../../../kit/text/csv.ts';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import { type Day, type Month, parseDay } from '../../../kit/time/period.ts';
import { askCosts } from './ask.ts';
import { byKind, type ChargeKind, focusColumns, type FocusRow, metrics, rowsOf } from './rows.ts';
import { daysOf } from './months.ts';
import type { MonthOverview } from './overview.ts';

/** Input of a month's query. */
export interface MonthQuestion {
  readonly month: Month;
  readonly overview: MonthOverview;
  /** The payer account. */
  readonly payer: string;
  readonly now: Date;
}

/** Writes a month's costs by day, account and service as a FOCUS file, with one query per kind of charge, because Cost Explorer
 *  groups by at most two dimensions. Holds only one page in memory. */
export async function writeMonth(
  client: CostExplorerClient,
  question: MonthQuestion,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const lines = linesOf(client, question, signal);
  await pipeline(lines, createWriteStream(target, { mode: 0o600 }), { signal });
}

async function* linesOf(
  client: CostExplorerClient,
  question: MonthQuestion,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield csvLine(focusColumns);
  for (const [kind, recordTypes] of byKind(question.overview.recordTypes)) {
    for await (const rows of pagesOf(client, question, { kind, recordTypes }, signal)) {
      yield rows.map((row) => csvLine(focusColumns.map((column) => row[column] ?? ''))).join('');
    }
  }
}

async function* pagesOf(
  client: CostExplorerClient,
  { month, overview, payer, now }: MonthQuestion,
  { kind, recordTypes }: { kind: ChargeKind; recordTypes: readonly string[] },
  signal: AbortSignal,
): AsyncGenerator<FocusRow[]> {
  const question = {
    TimePeriod: daysOf(month, month, now),
    Granularity: 'DAILY' as const,
    Metrics: [...metrics],
    GroupBy: ['LINKED_ACCOUNT', 'SERVICE'].map((Key) => ({ Type: 'DIMENSION' as const, Key })),
    Filter: { Dimensions: { Key: 'RECORD_TYPE' as const, Values: [...recordTypes] } },
  };
  for await (const { results, names } of askCosts(client, question, signal)) {
    yield results.flatMap(({ TimePeriod, Groups = [] }) => {
      const place = { month, day: dayIn(TimePeriod?.Start), kind, payer, names, effectiveBy: overview.effectiveBy };
      return Groups.flatMap((group) => rowsOf(group, place));
    });
  }
}

function dayIn(text = ''): Day {
  const day = parseDay(text);
  if (day === null) throw invalid`Cost Explorer returned "${text.slice(0, 50)}" as a day${fix}sync again`;
  return day;
}
