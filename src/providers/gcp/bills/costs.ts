import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '../../../kit/errors/errors.ts';
import { askedMonth, type CostSource, type SourceFile, type SourceListing, type SourceMemo } from '../../contract.ts';
import type { GcpSettings } from '../../spec.ts';
import { explain } from '../faults.ts';
import { datasetOf, nameOf } from '../input.ts';
import { pagesOfQuery, rowsOfQuery } from '../query.ts';
import type { GoogleSession } from '../session.ts';
import { type CreditsPlace, creditsPlaceOf, creditsWarning, inside, outside, readCreditsPlace } from './charge.ts';
import { LabelReader, linesOf, unknownColumns } from './lines.ts';
import { listMonths, type MonthsMemo, type MonthState, monthToken, openTable, readMonthsMemo } from './months.ts';
import type { TableState } from './table.ts';
import { chargesQuery, creditsQuery, writeMonth } from './write-month.ts';

/** Version of the mapping from lines to charges; a change makes all months be read again. */
const mapping = 2;

/** Memo between syncs. */
interface Memo {
  readonly table: string | null;
  readonly months: MonthsMemo | null;
  readonly credits: CreditsPlace | null;
  readonly creditsWarning: string | null;
}

interface Listed {
  readonly state: TableState;
  readonly months: ReadonlyMap<string, MonthState>;
  readonly place: CreditsPlace;
}

/** Reads the bills of a Cloud Billing export in BigQuery: one file per invoice month, aggregated by day in the export's
 *  location.
 *  @throws {AppError} VALIDATION_ERROR naming the invalid setting */
export function bigQueryCosts(session: GoogleSession, settings: GcpSettings): CostSource {
  const dataset = datasetOf(settings);
  const { location } = settings;
  let listed: Listed | null = null;

  return {
    isInPlace: false,

    async list(before: SourceMemo, signal: AbortSignal): Promise<SourceListing> {
      const memo = readMemo(before);
      const choice = { dataset, table: settings.table, lastTable: memo.table, location };
      const state = await openTable(session, choice, signal);
      linesOf(state); // Throws if columns are missing.
      try {
        const months = await listMonths(session, state, { memo: memo.months, location, now: Date.now() }, signal);
        const found = await placeCredits(session, state, { memo, months, location }, signal);
        const place = found.place ?? (state.kind === 'focus' ? inside : outside);
        listed = { state, place, months: new Map(months.months.map((each) => [each.month, each])) };
        return {
          files: months.months.map((month) => fileOf(state, month, place)),
          memo: { table: state.ref.table, months, credits: found.place, creditsWarning: found.warning } satisfies Memo,
          warnings: [...lacksOf(state), ...(found.warning === null ? [] : [found.warning])],
          isRecentOnly: true,
        };
      } catch (error) {
        throw explain(error, { session, dataset, table: state.ref.table, location });
      }
    },

    async fetch(file: SourceFile, folder: string, signal: AbortSignal): Promise<string> {
      const month = listed?.months.get(file.month ?? '');
      if (listed === null || month === undefined) throw new Error(`${file.key} was not listed`);
      const { state, place } = listed;
      const target = path.join(folder, `bigquery-${month.month}-${randomUUID()}.csv`);
      const pages = pagesOfQuery(session, chargesQuery(state, month, location), signal);
      try {
        const reading = { month: month.month, place, labels: new LabelReader() };
        const lineItems = await writeMonth(target, pages, reading);
        if (lineItems !== monthToken(month).lineItems)
          throw invalid`BigQuery table ${nameOf(state.ref)}: invoice month ${month.month} changed while it was read; the next sync reads it again`;
        return target;
      } catch (error) {
        await fs.rm(target, { force: true });
        throw explain(error, { session, dataset, table: state.ref.table, location });
      }
    },
  };
}

function readMemo(memo: SourceMemo): Memo {
  const fields: Record<string, unknown> = typeof memo === 'object' && memo !== null ? { ...memo } : {};
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  return {
    table: text('table'),
    months: readMonthsMemo(fields['months']),
    credits: readCreditsPlace(fields['credits']),
    creditsWarning: text('creditsWarning'),
  };
}

/** Detects once whether a FOCUS table's costs include credits, which is undocumented. */
async function placeCredits(
  session: GoogleSession,
  state: TableState,
  { memo, months, location }: { memo: Memo; months: MonthsMemo; location: string },
  signal: AbortSignal,
): Promise<{ place: CreditsPlace | null; warning: string | null }> {
  if (state.kind !== 'focus' || !state.fields.has('x_credits')) return { place: null, warning: null };
  const isSame = memo.months?.table === months.table && memo.months.createdAt === months.createdAt;
  const isUnchanged = memo.months === months;
  if (isSame && (memo.credits !== null || isUnchanged)) return { place: memo.credits, warning: memo.creditsWarning };
  const [row] = await rowsOfQuery(session, creditsQuery(state, location), signal);
  const place = creditsPlaceOf(row);
  return { place, warning: place === null ? null : creditsWarning(place, row) };
}

function fileOf(state: TableState, month: MonthState, place: CreditsPlace): SourceFile {
  const { newest, lineItems } = monthToken(month);
  const micros = /^\d{15,17}$/.test(newest) ? Number(newest) / 1000 : null;
  return askedMonth(`${nameOf(state.ref)}/${month.month}`, {
    month: month.month,
    token: `${newest || 'null'}|${lineItems}|${place.billed}|${place.effective}|${mapping}`,
    snapshotAt: micros === null ? null : new Date(micros),
  });
}

/** Returns warnings about an export for readers of the costs, one sentence each: what it lacks, new columns. */
export function lacksOf(state: TableState): string[] {
  const name = nameOf(state.ref);
  const unknown = unknownColumns(state);
  return [
    ...(state.kind === 'standard'
      ? [`No resources: ${name} is the standard export. Turn on the detailed usage cost export to have them`]
      : []),
    ...(state.kind === 'focus'
      ? [
          `${name} is Google's FOCUS export, which is in preview and has little data on commitments: the detailed usage cost export has more`,
        ]
      : []),
    ...(unknown.length > 0 ? [`${name} has unknown columns, which are ignored: ${unknown.join(', ')}`] : []),
  ];
}
